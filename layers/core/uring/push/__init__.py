"""Push once.

    change ─► notifier ─► claim in the ledger ─► payload ─► FCM ─► sent, later, never

`notifier`    one push for each change, even if its message is delivered twice
`payload`     the message, cut to FCM's limit
`ports`       the ledger and FCM as the notifier needs them
`fcm`         one POST; `fcm_client` signs in and sends, `fcm_errors` classifies refusals
"""
