"""An office with pages of agreements, a week in ticks of six hours, in front of the document store.

    seed ─► script: actions of a tick ─► people ─► bucket and events, HTTP API ─► jobs
               └► ledger: expected store ─► judge ◄─ snapshot of table and bucket, diary, calls

`words`       invented agreements in Korean and English; `papers` their files, with planted issues
`actions`     people's actions; `script` their times
`people`      do them through the HTTP API; `post` their way to the bucket and the API
`ledger`      the expected store after each tick
`week`        the actions so far, each done once
`diary`       the actions done, in a file that outlives a kill
`clock`       hours that take seconds, and the objects' times on it
`snapshot`    the stored data; `judge` compares
`simulation`  the office in a run
"""
