"""Lists of domains: the robots.txt and sitemaps of each, collected once and watched (S1 to S15).

    dataset partitions ─► orchestrate ─► seed queue, one message a raw file
    raw file ─► files ─► domain queue, a message a domain or a range; checkpoint, .success
    domain ─► domains ─► evidence, metadata, .success; counters
    results of a partition ─► watch, a family of the engine ─► events

`partition`      the layout of datasets and results
`messages`       of both queues, and the API's request
`ranges`         messages of many domains, the second way of work
`orchestrate`    lists raw files and sends each
`api`            the orchestrator's HTTP API
`names`          a normalised domain, its authority and its id
`normalize`      URLs and records of raw files to domains, by the Public Suffix List
`files`          raw files to domain messages
`collect`        the robots.txt, sitemaps and feeds of a domain
`known`          files and URLs of a domain, as an earlier collection or check had them
`domains`        domain messages to stored results
`counters`       each domain counted once
`progress`       counters and state of each partition, without a scan
`holds`          paused and stopped partitions, as the workers see them
`pace`           the assumed pace of a collection
`reports`        the reports of a day and a week
`watch`          watched domains: reports additions, changes and losses
`registration`   the watches' entry in `uring.functions.families`
"""
