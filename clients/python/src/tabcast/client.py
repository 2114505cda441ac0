"""The service as methods."""

import contextlib
import http.client
import json
import math
import os
import pathlib
import secrets
import ssl
import tempfile
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, Union

from .errors import TabcastError
from .frames import as_file, kind_of, read_result, result_format
from .transport import Transport

Job = Dict[str, Any]
JobOrId = Union[Job, str]
OnProgress = Callable[[Job], None]
Path = Union[str, "os.PathLike[str]"]

CHUNK = 256 * 1024
# Larger files are compared with the limit of the deployment before they are sent.
CHECKED_BYTES = 32 * 1024 * 1024


class Client:
    """One key of a tabcast service. Methods raise TabcastError.

    base_url: such as ``https://forecasts.example.com``. timeout: seconds that a request may take, repeats and the pauses before them included; for
    one that sends or reads a file, seconds without a byte. attempts: how often a request is made before connection errors, 429 and 503 are raised; a
    service that asks to wait longer than 60 seconds, or than the timeout, is not waited for. ssl_context: for a certificate authority of your own.
    The arguments may be left out where the environment has TABCAST_URL and TABCAST_API_KEY.
    """

    def __init__(
        self, base_url: Optional[str] = None, api_key: Optional[str] = None, *, timeout: float = 60.0, attempts: int = 6,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        key = api_key or os.environ.get("TABCAST_API_KEY")
        if not key:
            raise ValueError("api_key is missing, and so is TABCAST_API_KEY in the environment")
        url = base_url or os.environ.get("TABCAST_URL") or "http://127.0.0.1:8080"
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"base_url begins with http:// or https://, not {url!r}")
        self._transport = Transport(url, key, timeout, attempts, ssl_context)

    # Forecasts

    def forecast(
        self, data: Any, horizon: int = 24, *, wait: bool = True, timeout: Optional[float] = None, on_progress: Optional[OnProgress] = None,
        report: Optional[Path] = None, **options: Any,
    ) -> Any:
        """Forecasts a DataFrame (pandas, polars), a file or a list of dicts and gives the table back as the same kind; files and lists give a list of dicts.

        The options are those of ``submit``. With ``wait=False`` the job is given back at once. report: a file to write the report to, a page for a
        browser. on_progress: is given the job, which has its ``job_id``. timeout: seconds for all of it: upload, job, download and every pause between.
        """
        kind = kind_of(data)
        deadline = _deadline(timeout)
        return self._finish(self.submit(data, horizon, timeout=timeout, **options), kind, wait, deadline, timeout, on_progress, report)

    def submit(
        self, data: Any, horizon: int = 24, *, preset: Optional[str] = None, quantiles: Optional[Sequence[float]] = None,
        covariates: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, timeout: Optional[float] = None, **fields: Any,
    ) -> Job:
        """Uploads the data and gives the job. ``fields``: any other field of POST /forecast, such as ``item_id_column``, ``freq``, ``callback_url``."""
        chosen = {"prediction_length": horizon, "presets": preset, "quantile_levels": quantiles, "covariates": covariates, **fields}
        return self._upload_form("/forecast", data, chosen, idempotency_key, _deadline(timeout))

    def forecast_object(
        self, object_id: str, horizon: int = 24, *, preset: Optional[str] = None, quantiles: Optional[Sequence[float]] = None,
        covariates: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, timeout: Optional[float] = None, **fields: Any,
    ) -> Job:
        """Forecasts a stored object (``upload``) and gives the job."""
        chosen = {"prediction_length": horizon, "presets": preset, "quantile_levels": quantiles, "covariates": covariates, **fields}
        body = {"object_id": object_id, **{name: value if isinstance(value, dict) else _text(value, (list, tuple)) for name, value in chosen.items() if value is not None}}
        return self._transport.json("POST", "/forecast/storage-object", body, _once_only(idempotency_key), deadline=_deadline(timeout))

    # Tables

    def classify(
        self, data: Any, label_column: str = "target", *, wait: bool = True, timeout: Optional[float] = None, on_progress: Optional[OnProgress] = None,
        report: Optional[Path] = None, **fields: Any,
    ) -> Any:
        """Predicts a column as classes with probabilities; the table of predictions as the same kind as ``data``. ``fields``: those of POST /v2/classify."""
        return self._tabular("/v2/classify", data, label_column, wait, timeout, on_progress, report, fields)

    def regress(
        self, data: Any, label_column: str = "target", *, wait: bool = True, timeout: Optional[float] = None, on_progress: Optional[OnProgress] = None,
        report: Optional[Path] = None, **fields: Any,
    ) -> Any:
        """Predicts a column as a number; the table of predictions as the same kind as ``data``. ``fields``: those of POST /v2/regress."""
        return self._tabular("/v2/regress", data, label_column, wait, timeout, on_progress, report, fields)

    # Jobs

    def job(self, job: JobOrId, *, wait_seconds: int = 0) -> Job:
        """The job as it is now, or after its next change of state, at most ``wait_seconds`` (0 to 30) later."""
        return self._transport.json("GET", f"/jobs/{_id(job)}?wait={wait_seconds}")

    def jobs(self, *, status: Union[None, str, Sequence[str]] = None, job_type: Optional[str] = None, created_after: Optional[str] = None) -> Iterator[Job]:
        """All jobs, newest first, fetched as they are asked for. created_after: RFC 3339."""
        statuses = [status] if isinstance(status, str) else list(status or [])
        given = [("limit", "200"), *(("status", one) for one in statuses), ("job_type", job_type), ("created_after", created_after)]
        query = [(name, value) for name, value in given if value is not None]
        cursor = None
        while True:
            page = self._transport.json("GET", "/jobs?" + urllib.parse.urlencode(query if cursor is None else [*query, ("cursor", cursor)]))
            yield from page["jobs"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def wait(self, job: JobOrId, timeout: Optional[float] = None, on_progress: Optional[OnProgress] = None) -> Job:
        """The job when it has completed. ``on_progress`` is given the job every second or two. A failed job, and more than ``timeout`` seconds, is a TabcastError."""
        deadline = _deadline(timeout)
        with _about(job, deadline):
            return self._wait(job, deadline, timeout, on_progress)

    def _wait(self, job: JobOrId, deadline: float, timeout: Optional[float], on_progress: Optional[OnProgress]) -> Job:
        while True:
            # The client's own timeout does not end a long poll.
            left = min(20.0, self._transport.timeout / 2, deadline - time.monotonic())
            path = f"/jobs/{_id(job)}?wait={max(0, min(1 if on_progress else 20, int(left)))}"
            state = self._transport.json("GET", path, deadline=max(deadline, time.monotonic() + 1))
            if on_progress is not None:
                on_progress(state)
            if state["status"] == "completed":
                return state
            if state["status"] == "failed":
                raise TabcastError(state["error_code"] or "pipeline_failed", state["error"] or "the job failed", request_id=state["request_id"], job_id=state["job_id"])
            if time.monotonic() >= deadline:
                raise TabcastError("timeout", f"job {state['job_id']} is {state['status']} after {timeout} s; it goes on", retryable=True, job_id=state["job_id"])
            if left < 1:
                time.sleep(max(0.0, min(left, 0.2)))

    def result(self, job: JobOrId, kind: str = "rows") -> Any:
        """The table of a completed job: ``pandas``, ``polars``, or ``rows`` (a list of dicts)."""
        return self._result(job, kind, math.inf)

    def _result(self, job: JobOrId, kind: str, deadline: float) -> Any:
        if kind not in ("pandas", "polars", "rows"):
            raise ValueError("kind is pandas, polars or rows")
        with tempfile.TemporaryDirectory(prefix="tabcast-") as folder:
            form = result_format(kind)
            path = pathlib.Path(folder) / f"result.{form}"
            self._download(_result_path(job, form), path, deadline)
            return read_result(path, kind)

    def download(self, job: JobOrId, path: Path, format: Optional[str] = None) -> pathlib.Path:
        """Writes the result to a file; ``format`` is csv, parquet or zip, by default the ending of the name. The file is there in full or not at all."""
        target = pathlib.Path(path)
        return self._save(_result_path(job, format or target.suffix.lstrip(".") or "csv"), target, math.inf)

    def report(self, job: JobOrId, path: Path) -> pathlib.Path:
        """Writes the report of a completed job to a file, a page for a browser. The file is there in full or not at all."""
        return self._report(job, path, math.inf)

    def _report(self, job: JobOrId, path: Path, deadline: float) -> pathlib.Path:
        return self._save(f"/jobs/{_id(job)}/artifacts/report.html", pathlib.Path(path), deadline)

    def delete(self, job: JobOrId) -> None:
        """Cancels what has not ended, and deletes the job with its files."""
        self._transport.json("DELETE", f"/jobs/{_id(job)}")

    # Stored files

    def upload(self, data: Any, *, filename: Optional[str] = None, content_type: str = "application/octet-stream") -> Dict[str, Any]:
        """Stores a file or frame for many forecasts; ``object_id`` of what is given back is for ``forecast_object``."""
        with as_file(data) as (path, name):
            size = path.stat().st_size
            asked = {"filename": filename or name, "content_type": content_type, "file_size": size}
            upload = self._transport.json("POST", "/storage/uploads/presign", asked, _once_only(None))
            headers = {**upload["required_headers"], "Content-Length": str(size)}
            try:
                with self._transport.call("PUT", upload["upload_url"], headers=headers, body=lambda: _chunks(path, size, math.inf)):
                    pass
            except TabcastError as error:
                # The address takes one upload: it was taken, and the answer was lost.
                if error.status != 412:
                    raise
            return self._transport.json("POST", f"/storage/uploads/{upload['object_id']}/complete", {}, _once_only(None))

    def webhook_secret(self) -> str:
        """What callbacks are signed with, for ``verify_webhook``; the key needs the scope ``admin``."""
        return self._transport.json("GET", "/webhooks/secret")["secret"]

    def _tabular(
        self, route: str, data: Any, label: str, wait: bool, timeout: Optional[float], on_progress: Optional[OnProgress], report: Optional[Path],
        fields: Dict[str, Any],
    ) -> Any:
        kind = kind_of(data)
        idempotency_key = fields.pop("idempotency_key", None)
        deadline = _deadline(timeout)
        job = self._upload_form(route, data, {"label_column": label, **fields}, idempotency_key, deadline)
        return self._finish(job, kind, wait, deadline, timeout, on_progress, report)

    def _finish(
        self, job: Job, kind: str, wait: bool, deadline: float, timeout: Optional[float], on_progress: Optional[OnProgress], report: Optional[Path]
    ) -> Any:
        if not wait:
            return job
        with _about(job, deadline):
            table = self._result(self._wait(job, deadline, timeout, on_progress), kind, deadline)
            if report is not None:
                self._report(job, report, deadline)
            return table

    def _upload_form(self, route: str, data: Any, fields: Mapping[str, Any], idempotency_key: Optional[str], deadline: float) -> Job:
        boundary = f"tabcast-{uuid.uuid4().hex}"
        with as_file(data) as (path, name):
            size = path.stat().st_size
            if size > CHECKED_BYTES:
                most = self._transport.json("GET", "/limits", deadline=deadline)["max_upload_bytes"]
                if size > most:
                    raise TabcastError("file_too_large", f"{path} has {size} bytes, and this deployment takes {most}.", suggestion="Store it with upload().")
            head = "".join(
                f'--{boundary}\r\ncontent-disposition: form-data; name="{field}"\r\n\r\n{_text(value, (list, tuple, dict))}\r\n'
                for field, value in fields.items() if value is not None
            )
            escaped = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            head += f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{escaped}"\r\ncontent-type: application/octet-stream\r\n\r\n'
            start, end = head.encode(), f"\r\n--{boundary}--\r\n".encode()

            def body() -> Iterator[bytes]:
                yield start
                yield from _chunks(path, size, deadline)
                yield end

            headers = {
                "Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(len(start) + size + len(end)), **_once_only(idempotency_key)
            }
            return self._transport.form(route, headers, body, deadline)

    def _save(self, address: str, target: pathlib.Path, deadline: float) -> pathlib.Path:
        partial = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
        try:
            self._download(address, partial, deadline)
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
        return target

    def _download(self, path: str, target: pathlib.Path, deadline: float) -> None:
        for left in (2, 1, 0):
            try:
                with self._transport.call("GET", path, deadline=deadline) as answer, open(target, "wb") as file:
                    while chunk := answer.read(CHUNK):
                        file.write(chunk)
                        _in_time(deadline)
                    expected = answer.headers.get("Content-Length")
                    if expected is not None and file.tell() != int(expected):
                        raise ConnectionError(f"{file.tell()} of {expected} bytes came")
                    return
            except (ConnectionError, TimeoutError, http.client.HTTPException) as error:
                if left == 0 or time.monotonic() >= deadline:
                    raise TabcastError("connection_failed", f"the download of {path} broke off: {error}", retryable=True) from error


def _once_only(idempotency_key: Optional[str]) -> Dict[str, str]:
    """One key for all attempts of a call: a repeat after a lost answer makes nothing twice."""
    return {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}


def _deadline(timeout: Optional[float]) -> float:
    return math.inf if timeout is None else time.monotonic() + timeout


@contextlib.contextmanager
def _about(job: JobOrId, deadline: float) -> Iterator[None]:
    """Errors name the job, which goes on and can be asked for again."""
    try:
        yield
    except TabcastError as error:
        error.job_id = error.job_id or (job if isinstance(job, str) else job["job_id"])
        if error.code == "connection_failed" and time.monotonic() >= deadline:
            raise TabcastError("timeout", error.detail, retryable=True, job_id=error.job_id) from error
        raise


def _in_time(deadline: float) -> None:
    if time.monotonic() >= deadline:
        raise TabcastError("timeout", "the timeout of the call is over while a file is sent or read")


def _result_path(job: JobOrId, form: str) -> str:
    return f"/jobs/{_id(job)}/download?format={form}"


def _chunks(path: pathlib.Path, size: int, deadline: float) -> Iterator[bytes]:
    with open(path, "rb") as file:
        left = size
        while left > 0:
            chunk = file.read(min(CHUNK, left))
            if not chunk:
                raise ValueError(f"{path} became shorter while it was sent")
            left -= len(chunk)
            yield chunk
            _in_time(deadline)


def _text(value: Any, as_json: tuple) -> Any:
    """Lists as JSON; in a form dicts and booleans too."""
    if isinstance(value, as_json):
        return json.dumps(value)
    return str(value).lower() if isinstance(value, bool) and dict in as_json else value


def _id(job: JobOrId) -> str:
    return urllib.parse.quote(job if isinstance(job, str) else job["job_id"], safe="")
