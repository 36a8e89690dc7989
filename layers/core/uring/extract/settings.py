"""Settings of the text extractor."""

from uring.runtime.settings import Name, Settings


class ExtractorSettings(Settings):
    """Settings of the text extractor: the bucket that it reads from and writes to."""

    data_bucket: Name
