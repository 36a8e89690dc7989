"""Subscriptions of devices to topics, for browsers, which cannot subscribe by themselves.

    POST ─► route ─► published topics ─► subscriber ─► FCM, a request a topic ─► 204

The service has no state of its own: FCM alone knows the subscriptions.

`published`   the topics of data/index.json
`subscriber`  a device's request, its topics a few at once; `ports` has FCM as it needs it
`fcm_topics`  one request to FCM, and the meaning of its response
`api`         the route, and its OpenAPI document
"""
