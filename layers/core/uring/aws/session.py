"""Sessions that make a function's clients: botocore's, with less to read at the start.

boto3's session is botocore's with resources and with transfers of large files, which no function
uses. And what botocore reads of its own costs more than it needs: to name all services it looks
into four hundred folders, and it reads models into ordered dictionaries, as Python's own are.
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
        services: those that clients are made of.
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
        """Return what a file holds, named without its suffix; None if there is none."""
        plain, packed = Path(f"{file_path}.json"), Path(f"{file_path}.json.gz")
        if plain.is_file():
            return json.loads(plain.read_bytes())
        if packed.is_file():
            return json.loads(gzip.decompress(packed.read_bytes()))
        # Packed in a way that a later botocore knows.
        return super().load_file(file_path)


class _Models(Loader):
    """Finds the models of a few services, of which botocore has four hundred."""

    def __init__(self, services: Iterable[str]) -> None:
        super().__init__(file_loader=_Files())
        self._services = sorted(services)

    def list_available_services(self, type_name: str) -> list[str]:  # noqa: ARG002 - botocore's
        """Return the services, whatever is known of them: what is missing is told when read."""
        return self._services
