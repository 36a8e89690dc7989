"""Aviation weather: METAR, SPECI, TAF and airport warnings, all airports of a product in one file.

    tick ─► orchestrate ─► job ─► worker ─► collect ─► gateway ─► iwxxm
                                               │
                                               ├─ product: merge, compare
                                               ▼
                    files, latest.json ◄─ publisher ◄─ state ─► queue of the pushes

orchestrate   a tick becomes one job for each product that is due
worker        the batch of the work queue, and the lines and counters of each run
collect       one run of one product, from its job to its outcome
product       merge, hash, differences and events of all airports; pure
state         the register of a product, with its outbox
publisher     the order of writes: commit, files, latest.json, pushes
gateway/      KMA's gateways, from a product and its airports to what was collected
iwxxm/        one report, from XML to JSON with units; pure
bootstrap/    builds the functions
"""
