"""The only importer of botocore: S3 objects, SQS queues, the DynamoDB ledger, secrets, languages.

Adapters translate calls and errors and decide nothing. Clients are injected; `AWS_ENDPOINT_URL` and
the per-service ``AWS_ENDPOINT_URL_S3`` / ``_SQS`` / ``_DYNAMODB`` choose another stack (X4).
"""
