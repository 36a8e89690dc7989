"""Aviation weather: reading METAR, SPECI, TAF and airport warnings."""
