"""KMA's gateways: one request at a time, its envelope, its errors, its warnings."""
