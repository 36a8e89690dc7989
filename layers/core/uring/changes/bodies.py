"""Large texts stored under their hash. Each is written once; a state refers to it by its hash."""

from uring import media
from uring.changes.retry import Backoff, rewrite
from uring.errors import CorruptState
from uring.objects import Objects


class Bodies:
    """Texts below one folder of the bucket.

    Args:
        folder: the prefix of their keys, without a slash at the end.
    """

    def __init__(self, objects: Objects, folder: str, *, backoff: Backoff) -> None:
        self._objects = objects
        self._folder = folder
        self._backoff = backoff

    def add(self, digest: str, text: str) -> None:
        """Store a text under its hash; does nothing if it is stored already.

        Call it before a state that names the hash is committed.

        Raises:
            WriteConflict: no clear answer within the bounded attempts.
        """
        body = text.encode()
        rewrite(
            self._objects,
            self._key(digest),
            lambda there: None if there is not None else body,
            backoff=self._backoff,
            content_type=media.TEXT,
            likely_absent=True,
        )

    def get(self, digest: str) -> str:
        """Return a text.

        Raises:
            CorruptState: the object is missing.
        """
        stored = self._objects.get(self._key(digest))
        if stored is None:
            raise CorruptState(
                f"{self._key(digest)} is missing, but a state names it; restore its last version"
            )
        return stored.body.decode()

    def _key(self, digest: str) -> str:
        return f"{self._folder}/{digest}.md"
