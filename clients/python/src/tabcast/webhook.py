"""Receivers of callbacks (https://www.standardwebhooks.com)."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Union

from .errors import WebhookError

# The service sends one for each secret in force, which are five at most.
MOST_SIGNATURES = 10


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, str], secret: str, *, tolerance: float = 300.0, now: Optional[float] = None
) -> Dict[str, Any]:
    """The callback (``type``, ``timestamp``, ``data``: the job) when it was signed with the secret not more than ``tolerance`` seconds ago.

    body: the bytes as they came, before anything parses them. secret: ``whsec_...`` of ``Client.webhook_secret()``.
    A repeat has the same ``webhook-id``: keep those that were handled. Raises WebhookError.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise WebhookError(f"the header {error.args[0]} is missing") from None
    # Not int(), which raises a ValueError for thousands of digits.
    if not (timestamp.isascii() and timestamp.isdigit()) or abs((time.time() if now is None else now) - float(timestamp)) > tolerance:
        raise WebhookError("the timestamp is not fresh")
    if not secret.startswith("whsec_"):
        raise ValueError("a webhook secret begins with whsec_")
    expected = hmac.new(base64.b64decode(secret[6:]), f"{message_id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    if not any(hmac.compare_digest(expected, signature) for signature in map(_signature, signatures.split(" ", MOST_SIGNATURES)[:MOST_SIGNATURES])):
        raise WebhookError("no signature is that of the secret")
    return json.loads(content)


def _signature(entry: str) -> bytes:
    version, _, text = entry.partition(",")
    try:
        return base64.b64decode(text, validate=True) if version == "v1" else b""
    except (binascii.Error, ValueError):
        return b""
