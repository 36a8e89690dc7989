"""`uring documents`: attachments, texts and issues of pages, on a deployed stack.

`commands`            attachments, texts and jobs
`commands_of_issues`  issues and edits
`client`              the API's operations, by signed requests
`attach`              files put into the bucket
`texts`               policies and their texts
`issues`              issues and edits
`waiting`             jobs: submitted, awaited, printed
`view`                policies, issues and jobs on a terminal
"""
