"""Push once: the message that fits, the ledger of claims, the notifier, FCM."""
