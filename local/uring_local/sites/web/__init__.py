"""A web of invented domains on loopback, in front of the seed engine, a day a tick.

    seed ─► model: each domain on each day ─► robots, sitemaps ─► replies ─► site
               ├─► dataset: raw files of the day's partition             journal
               └─► expected: what a correct collector finds ─► judge ◄─ objects, counters, pushes

A domain's answers depend on the seed, its number and the day alone. The expected results are worked
out from the model by the document's rules, without any of the product's code.
"""
