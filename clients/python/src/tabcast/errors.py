"""What can go wrong, as exceptions."""

import datetime
import email.utils
import json
import math
from typing import Any, Mapping, Optional


class TabcastError(Exception):
    """A refusal of the service, a job that failed, or a service that cannot be reached.

    code: the service's ``error_code``; ``connection_failed`` without an answer, ``timeout`` when waiting took too long.
    status: of HTTP; None where there was no answer, or where a job failed after it had been accepted.
    detail: what is wrong, in words; for a 422 one line for each field.
    fields: for a 422 the list of the service (loc, msg, type, ctx), else empty.
    retryable: the same call may succeed later. retry_after: in so many seconds, as the service says; None: it does not say.
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


def not_waited_for(error: TabcastError, most: float) -> TabcastError:
    """The same error, which says when to come back, and that nobody waits for it here."""
    seconds = math.ceil(error.retry_after or 0)
    at = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    advice = f"Try again in {seconds} s, at {at}; no more than {max(0, math.floor(most))} s are waited here."
    return TabcastError(
        error.code, error.detail, status=error.status, suggestion=advice if error.suggestion is None else f"{error.suggestion} {advice}",
        request_id=error.request_id, retryable=error.retryable, retry_after=error.retry_after, fields=error.fields, job_id=error.job_id,
    )


def retry_seconds(headers: Mapping[str, str]) -> Optional[float]:
    """Retry-After in seconds or as a date (RFC 9110, 10.2.3), which is counted from the answer's own; None without one, or one that says nothing."""
    text = (headers.get("Retry-After") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    at = _moment(text)
    if at is None:
        return None
    now = _moment(headers.get("Date") or "") or datetime.datetime.now(datetime.timezone.utc)
    return max(0.0, (at - now).total_seconds())


def _moment(text: str) -> Optional[datetime.datetime]:
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.timezone.utc)


def error_of_answer(status: int, body: bytes, headers: Mapping[str, str]) -> TabcastError:
    """The answer as an error; one that is not the service's own (of a proxy) has the code ``http_<status>``."""
    seconds = retry_seconds(headers)
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
