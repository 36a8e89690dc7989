"""Stand-ins for Amazon Translate and Amazon Bedrock on loopback, for the real boto3 clients.

`server`       both services at one address
`translating`  Translate's responses, and their inverse for a judge
`model`        a model's responses: the issues planted in the texts
`wire`         requests and errors in the services' formats
`faults`       the faults of requests, by seed
`journal`      every request, in a file that survives a kill
"""
