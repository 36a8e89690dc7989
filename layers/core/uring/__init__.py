"""uRing detects changes in public sources, commits them safely and pushes them once.

    schedule ─► orchestrator ─► jobs ─► worker: observe ─► step ─► commit ─► project ─► queue
                                                                     │          │         │
    health.json, index, feeds, alerts ◄─ monitor ◄─ state ◄──────────┘          │         │
    readers ◄─ CloudFront ◄─ latest.json, archive ◄─────────────────────────────┘         │
    devices ◄─ FCM ◄─ notifier, with its ledger of claims ◄───────────────────────────────┘
    browsers ─► subscription API ─► FCM

    changes      job ─► check ─► commit ─► outbox: the engine, which knows no family
    records      list of records ─► diff ─► next state, latest.json, archive, feeds
    sources      file of entries ─► asked site ─► judged rows
    reading      page ─► rows ─► values, by declaration
    fetch        address that nobody vouches for ─► bytes ─► text
    extract      file ─► text ─► articles ─► what changed
    watch        states of every family ─► health, index, feeds, alerts
    push         change ─► claim ─► FCM message
    subscriptions  browser's request ─► topics of the index ─► FCM
    runtime      Lambda event ─► settings, batch, telemetry around a function's work
    locks        path ─► lease with a fence ─► writes that check it; work done once
    aws          ports ─► S3, SQS, DynamoDB, SNS, Secrets Manager
    functions    environment ─► settings ─► adapters chosen ─► work, a module a Lambda function
    notices      sitemap ─► boards ─► notices, the first family
    regulations  page ─► registry ─► texts and their differences
    seeds        lists of domains ─► robots.txt, sitemaps, metadata, and what changed of them
    documents    attachments ─► texts, translations, issues
    weather      KMA's gateways ─► METAR, TAF, airport warnings

    characters   hidden characters taken out, look-alike letters made plain
    contracts    what crosses a process: jobs, changes
    tables       items by key, and transactions over them: a port
    language     translation, and conversation with a model: ports
    objects      objects of a bucket by key: ports, each within the next
    media        content types of what readers get
    segments     names that become a part of a path or a key
    errors       what crosses a package when it fails
    clock        time as aware UTC

Dependencies point inwards: the pure modules import no I/O library, the engine no family, adapter or
push, and families never import each other. Only `functions` chooses adapters.
"""
