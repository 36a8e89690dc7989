"""Stand-ins for Amazon Translate and Amazon Bedrock on loopback, for the real boto3 clients.

`server`       both services at one address
`translating`  what Translate answers, and how a judge takes it back
`model`        what a model answers: the issues that were planted in the texts
`wire`         requests read and errors written as the services do
`faults`       what goes wrong, by seed
`journal`      every request, in a file that outlives a kill
"""
