"""Aviation weather: METAR, SPECI, TAF and airport warnings, all airports of a product in one file.

    job ─► engine ─► family ─► gateway ─► iwxxm
                       │
                       ├─ product: merge, compare ─► state, events
                       ▼
                     files ─► METAR_{fetched_at}.json …, latest.json

family        a product for the engine: observe, step, projections
product       merge, hash, differences and events of all airports; pure
due           when the next report is due; pure
state         the stored state of a product
files         the files that readers see
plan          the products that are run, how often, for which airports
registration  the family in the registry
gateway/      KMA's gateways: collects the reports of a product's airports
iwxxm/        one report, from XML to JSON with units; pure
"""
