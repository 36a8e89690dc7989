"""Subscriptions of devices to topics, for browsers, which cannot subscribe by themselves.

    POST ─► route ─► published topics ─► subscriber ─► FCM, a request a topic ─► 204

The service has no state of its own: FCM alone knows the subscriptions.

`models`      a device's request
`published`   the topics of data/index.json
`subscriber`  a request's topics, a few at once; `ports` has FCM as the subscriber needs it
`fcm_topics`  one request to FCM, and the meaning of its response
`api`         the route, and its OpenAPI document
"""
