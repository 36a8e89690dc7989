"""S3 and DynamoDB without boto3's price, on the calls that every check makes.

    call ─► place (botocore's own, resolved once) ─► signed by botocore ─► urllib3 ─► answer

`answers`   what came back; refusals as botocore's errors
`dynamodb`  the table's calls
`place`     address, region and signer as botocore resolves them
`pool`      connections, and bounds on what is read
`s3`        the objects' calls
`wire`      attempts, signature, and the events that botocore's clients have

A client here stands in for boto3's and has it inside: other calls, other parameters, and places
that only boto3 reaches (a proxy, another signature) go to it. The same errors come of both.
"""
