"""The people of the office, and their ways to the store.

`actions`  what people do
`people`   who submits jobs, edits and asks, through the HTTP API
`readers`  who reads while others work
`post`     objects, the bucket's events, and requests to the HTTP API
"""
