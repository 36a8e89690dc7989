"""METAR, SPECI and TAF in IWXXM, as JSON with units.

    elements ─► read_report ─► read_metar, read_taf ─► Metar, Taf
                                   │
                                   └─ parts ─ values

document   finds the reports in a document, and checks airport, version and time
metar      METAR and SPECI
taf        TAF
parts      wind, visibility, weather and cloud, which both have
values     single values: numbers with units, instants, codes, and their missing forms
tree       the elements of a document, under the limits of `uring.fetch.xml`
names      names as IWXXM's writers spell them
category   the flight category of an observation
ground     runways, the sea, and the aerodrome's position
tac        a report's line in the traditional code, composed from its fields
reports    the models, as readers of latest.json see them
fields     their parts, with units
errors     refusals of a report, or of a part of it
"""
