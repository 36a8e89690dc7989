"""Aviation weather: METAR, SPECI, TAF and airport warnings, all airports of a product in one file.

    job ─► engine ─► family ─► gateway ─► iwxxm
                       │
                       ├─ product: merge, compare ─► state, events
                       ▼
                     files ─► METAR_{fetched_at}.json …, latest.json

family        a product as the engine sees it: observe, step, projections
product       merge, hash, differences and events of all airports; pure
state         what is stored of a product
files         what readers see of it
plan          the products that are run, how often, for which airports
registration  the family in the registry
gateway/      KMA's gateways, from a product and its airports to what was collected
iwxxm/        one report, from XML to JSON with units; pure
"""
