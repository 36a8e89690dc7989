"""KMA's gateways: one request at a time, its envelope, its errors, its warnings.

    Gateway.collect ─► GatewayClient ─► fetch ─► read_envelope ─┬► read_metar_response ─► iwxxm
          │                                                     ├► read_taf_response ──► iwxxm
          ▼                                                     └► list_warnings
      Collected: fresh, failed, partial, notes, requests

collect         all airports of a product in one run; each failure names its airport
client          the calls of one run, spaced and repeated; redacts the key in all results
retry           the rate limit and the retry budget of a run
key             the key, quoted for a URL and redacted elsewhere
envelope        XML or JSON around reports, read or refused
json_tree       JSON as the elements that it was converted from
errors          one error for every error format of the gateways
parse_report    the newest report of a response, and notes on the others
warnings        the list of airport warnings, row by row
warning_fields  types and times of warnings
"""
