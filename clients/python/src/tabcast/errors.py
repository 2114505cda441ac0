"""What can go wrong, as exceptions."""

import json
from typing import Any, Optional


class TabcastError(Exception):
    """A refusal of the service, a job that failed, or a service that cannot be reached.

    code: the service's ``error_code``; ``connection_failed`` without an answer, ``timeout`` when waiting took too long.
    status: of HTTP; None where there was no answer, or where a job failed after it had been accepted.
    detail: what is wrong, in words; for a 422 one line for each field.
    fields: for a 422 the list of the service (loc, msg, type, ctx), else empty.
    retryable: the same call may succeed later.
    """

    def __init__(
        self, code: str, detail: str, *, status: Optional[int] = None, suggestion: Optional[str] = None, request_id: Optional[str] = None,
        retryable: bool = False, retry_after: Optional[float] = None, fields: Optional[list] = None, job_id: Optional[str] = None,
    ) -> None:
        super().__init__(f"{code}{'' if status is None else f' ({status})'}: {detail}{'' if suggestion is None else f' {suggestion}'}")
        self.code = code
        self.status = status
        self.detail = detail
        self.suggestion = suggestion
        self.request_id = request_id
        self.retryable = retryable
        self.retry_after = retry_after
        self.fields = fields or []
        self.job_id = job_id


class WebhookError(Exception):
    """A callback that is not to be trusted."""


def error_of_answer(status: int, body: bytes, retry_after: Optional[str]) -> TabcastError:
    """The answer as an error; one that is not the service's own (of a proxy) has the code ``http_<status>``."""
    seconds = float(retry_after) if retry_after is not None and retry_after.isdigit() else None
    try:
        envelope: Any = json.loads(body)
        code = envelope["error_code"]
    except (ValueError, KeyError, TypeError):
        text = body[:500].decode("utf-8", "replace")
        return TabcastError(f"http_{status}", text, status=status, retryable=status in (429, 502, 503, 504), retry_after=seconds)
    detail = envelope.get("detail", "")
    fields = detail if isinstance(detail, list) else []
    suggestion = detail.get("suggestion") if isinstance(detail, dict) else None
    text = "; ".join(map(_line, fields)) if fields else detail.get("detail", "") if isinstance(detail, dict) else detail
    return TabcastError(
        code, str(text), status=status, suggestion=suggestion, request_id=envelope.get("request_id"), retryable=bool(envelope.get("retryable")),
        retry_after=seconds, fields=fields,
    )


def _line(field: dict) -> str:
    place = ".".join(map(str, field.get("loc", [])[1:]))
    context = field.get("ctx") or {}
    more = "".join(f", {name} {context[name]}" for name in ("row", "item") if name in context)
    return f"{place}{more}: {field.get('msg', '')}"
