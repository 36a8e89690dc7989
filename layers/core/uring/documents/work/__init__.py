"""Paid work on a document's text: translation, and analysis by a model.

    text ─► translation ─► the same Markdown in another language
    policies ─► analysis ─► findings, their quotations verified

`ports`         protocols between paid work and its callers
`translation`   Markdown through a service for plain text; `lines` to the service and back
`markdown`      splits a text into words and markup; `masks` does so within a line
`pieces`        texts cut between sentences, words or letters
`analysis`      policies to findings by a model that fills in a form; ``prompt.md`` its instructions
`plain`         a model's words without addresses and markup
`findings`      findings, and the form of the model
`windows`       policies cut to the size of one request
`verification`  reports compared with the texts; `quotes` finds a quotation in a text
`answers`       paid answers, kept by the hash of the request
`spending`      prices of the services; costs, reserved and settled
"""
