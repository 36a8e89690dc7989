"""The stand-in for Firebase Cloud Messaging: HTTP v1 on loopback."""
