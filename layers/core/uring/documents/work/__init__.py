"""Paid work on a document's text: translation, and analysis by a model.

    text ─► translation ─► the same Markdown in another language
    policies ─► analysis ─► findings, their quotations verified

`ports`         what work gives and asks for
`translation`   Markdown through a service that knows plain text; `lines` on their way
`markdown`      a text's words and what stays; `masks` the same within a line
`pieces`        texts cut between sentences, words or letters
`analysis`      policies to findings by a model that fills in a form; ``prompt.md`` its instructions
`findings`      what an analysis is given and gives, and the form
`windows`       as much of policies as one request may have
`verification`  reports held against texts; `quotes` a quotation's place in one
`answers`       what was paid for, kept by the hash of its request
`spending`      costs, reserved and settled; `prices` of the services
"""
