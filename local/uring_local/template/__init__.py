"""template.yaml as plain values."""
