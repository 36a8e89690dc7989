"""The service account of the FCM stand-in: a throwaway key, and OAuth 2 with it (RFC 7523)."""

import hashlib
import hmac
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import jwt
from google.auth.exceptions import GoogleAuthError

PROJECT_ID: Final = "uring-local"
EMAIL: Final = "stand-in@uring-local.invalid"
GRANT_TYPE: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
# google-auth signs for this audience, whatever the token_uri.
_AUDIENCE: Final = "https://oauth2.googleapis.com/token"
# Either scope allows sending messages; firebase-admin requests the first.
_SCOPES: Final = frozenset(
    f"https://www.googleapis.com/auth/{name}" for name in ("cloud-platform", "firebase.messaging")
)
_TOKEN_SECONDS: Final = 3_600
_SKEW_SECONDS: Final = 300


class Account:
    """Makes the account's JSON, checks assertions and issues its access token, always the same.

    Args:
        key_file: keeps the key from one process to the next, readable by its owner alone: running
            clients stay signed in. None keeps it in memory.

    Raises:
        ValueError: the file has no RSA key.
    """

    def __init__(self, key_file: Path | None = None) -> None:
        key = _load(key_file) if key_file and key_file.exists() else _create(key_file)
        self._pem = _pem(key)
        self._public_pem = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self._token = hashlib.sha256(self._pem).hexdigest()

    def info(self, token_uri: str) -> dict[str, str]:
        """Return the JSON that ``firebase_admin.credentials.Certificate`` reads."""
        return {
            "type": "service_account",
            "project_id": PROJECT_ID,
            "private_key_id": hashlib.sha256(self._public_pem).hexdigest()[:40],
            "private_key": self._pem.decode(),
            "client_email": EMAIL,
            "client_id": "0",
            "token_uri": token_uri,
        }

    def grant(self, form: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        """Answer the token endpoint: return status and JSON."""
        if form.get("grant_type") != GRANT_TYPE:
            return 400, {"error": "unsupported_grant_type", "error_description": GRANT_TYPE}
        problem = self._problem(form.get("assertion", ""))
        if problem:
            return 400, {"error": "invalid_grant", "error_description": problem}
        return 200, {
            "access_token": self._token,
            "expires_in": _TOKEN_SECONDS,
            "token_type": "Bearer",
        }

    def accepts(self, authorization: str) -> bool:
        """Return True if an Authorization header carries this account's token."""
        scheme, _, token = authorization.partition(" ")
        good = hmac.compare_digest(token.encode(), self._token.encode())
        return good and scheme.lower() == "bearer"

    def _problem(self, assertion: str) -> str:
        """Return the fault of a signed JWT; empty without one."""
        try:
            claims = jwt.decode(
                assertion,
                certs=self._public_pem,
                audience=_AUDIENCE,
                clock_skew_in_seconds=_SKEW_SECONDS,
            )
        except (GoogleAuthError, ValueError) as error:
            return f"assertion: {error}"
        if claims.get("iss") != EMAIL:
            return f"iss: must be {EMAIL}"
        granted = _SCOPES.intersection(str(claims.get("scope", "")).split())
        return "" if granted else f"scope: must name one of {', '.join(sorted(_SCOPES))}"


def _pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _create(key_file: Path | None) -> rsa.RSAPrivateKey:
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    if key_file is not None:
        draft = key_file.with_name(f"{key_file.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_bytes(_pem(key))
        draft.replace(key_file)
    return key


def _load(key_file: Path) -> rsa.RSAPrivateKey:
    try:
        key = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
    except ValueError as error:
        raise ValueError(f"{key_file}: holds no private key ({error}); delete it") from error
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError(f"{key_file}: holds no RSA key; delete it")  # noqa: TRY004 - its content
    return key
