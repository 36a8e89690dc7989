"""`uring documents`: attachments, texts and issues of pages, on a deployed stack.

`commands`            attachments, texts and jobs
`commands_of_issues`  issues and edits
`commands_of_locks`   locks
`client`              the API's operations, by signed requests
`attach`              files put into the bucket
`texts`               policies and their texts
`issues`              issues and edits
`waiting`             jobs: submitted, awaited, printed
`locks`               locks and waiters, and the lock that is broken
`view`                policies, issues and jobs on a terminal
"""
