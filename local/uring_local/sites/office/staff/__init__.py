"""The people of the office, and their ways to the store.

`actions`  the actions of people
`people`   submits jobs, edits and reads, through the HTTP API
`readers`  reads a page while other people work on it
`post`     objects, the bucket's events, and requests to the HTTP API
"""
