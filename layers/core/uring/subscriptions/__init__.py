"""Subscriptions of devices to topics, for browsers, which cannot subscribe by themselves.

    POST ─► route ─► published topics ─► subscriber ─► FCM, a request a topic ─► 204

No state of its own: FCM alone knows who is subscribed to what.

`models`      a device's request
`published`   the topics of data/index.json
`subscriber`  a request's topics, a few at once; `ports` has FCM as it needs it
`fcm_topics`  one request to FCM, and the meaning of its response
`api`         the route, and its OpenAPI document
"""
