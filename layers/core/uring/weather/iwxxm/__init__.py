"""METAR, SPECI and TAF in IWXXM, as JSON with units."""
