"""The session that makes a function's clients: botocore's, with fewer files to read at the start.

boto3's session adds resources and transfers of large files to botocore's; no function uses them.
botocore also reads more than needed: it looks into four hundred folders to list all services, and
it reads models into ordered dictionaries, although Python's own keep their order.
"""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from botocore.config import Config
from botocore.loaders import JSONFileLoader, Loader
from botocore.session import Session


class FunctionSession:
    """Makes clients as ``boto3.Session`` does, by the environment's region and credentials.

    Args:
        services: the services of the clients.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._session = Session()
        self._session.register_component("data_loader", _Models(services))

    def client(self, service: str, config: Config) -> Any:
        """Return a client of a service."""
        return self._session.create_client(service, config=config)


class _Files(JSONFileLoader):
    """Reads files of JSON into plain dictionaries."""

    def load_file(self, file_path: str) -> Any:
        """Return the content of a file, named without its suffix; None for a missing file."""
        plain, packed = Path(f"{file_path}.json"), Path(f"{file_path}.json.gz")
        if plain.is_file():
            return json.loads(plain.read_bytes())
        if packed.is_file():
            return json.loads(gzip.decompress(packed.read_bytes()))
        # A later botocore may pack its files in another way.
        return super().load_file(file_path)


class _Models(Loader):
    """Finds the models of a few services; botocore has four hundred."""

    def __init__(self, services: Iterable[str]) -> None:
        super().__init__(file_loader=_Files())
        self._services = sorted(services)

    def list_available_services(self, type_name: str) -> list[str]:  # noqa: ARG002 - botocore's
        """Return the services without a check: reading the model of a missing one fails later."""
        return self._services
