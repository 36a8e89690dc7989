"""Push once.

    change ─► notifier ─► claim in the ledger ─► payload ─► FCM ─► sent, later, never

`notifier`    one push of one change, however often its message comes
`payload`     the message that fits into FCM's limit
`ports`       the ledger and FCM as the notifier needs them
`fcm`         one POST; `fcm_client` signs in and sends, `fcm_errors` the meaning of refusals
"""
