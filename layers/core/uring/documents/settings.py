"""Settings of the functions of the document store."""

from pydantic import Field

from uring.runtime.settings import Name, Settings


class DocumentApiSettings(Settings):
    """Settings of the API."""

    data_bucket: Name
    document_table: Name
    document_queue_url: Name


class DocumentIntakeSettings(Settings):
    """Settings of the intake."""

    document_queue_url: Name


class DocumentJanitorSettings(Settings):
    """Settings of the janitor; ``own_name`` is its function's, which goes on with a round."""

    data_bucket: Name
    document_table: Name
    document_queue_url: Name
    own_name: Name


class DocumentWorkerSettings(Settings):
    """Settings of the worker.

    ``daily_dollars`` is what a page may spend on services in a day. ``model_id`` is of Bedrock, or
    an inference profile's; ``terminology`` of Translate, empty for none. The prices are in
    dollars: of a million characters of Translate, and of a million tokens of the model.
    """

    data_bucket: Name
    document_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    text_extractor: Name
    model_id: Name
    terminology: str = ""
    daily_dollars: float = Field(default=5, ge=0, le=10_000)
    character_dollars: float = Field(default=15, ge=0, le=10_000)
    input_dollars: float = Field(default=3, ge=0, le=10_000)
    output_dollars: float = Field(default=15, ge=0, le=10_000)
