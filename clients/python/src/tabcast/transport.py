"""Requests with retries, over urllib: proxies of the environment and the system's certificates are used."""

import http.client
import json
import math
import random
import ssl
import time
import urllib.error
import urllib.request
from typing import Any, Callable, Iterator, Mapping, Optional

from .errors import TabcastError, error_of_answer, not_waited_for

LONGEST_PAUSE = 10.0
LONGEST_ASKED = 60.0
# A request that is made has so long at least, however close its end is.
LEAST_TIMEOUT = 1.0

Body = Callable[[], Iterator[bytes]]


class Transport:
    """Sends requests of one key; what may succeed later is repeated up to ``attempts`` times in all.

    A ``deadline`` is a time of ``time.monotonic``: nothing is repeated, and no pause is made, that would end after it.
    """

    def __init__(self, base_url: str, api_key: str, timeout: Optional[float], attempts: int, context: Optional[ssl.SSLContext]) -> None:
        self.base_url = base_url.rstrip("/")
        self._api_key = api_key
        self.timeout = math.inf if timeout is None else timeout
        self._attempts = max(1, attempts)
        handlers = [] if context is None else [urllib.request.HTTPSHandler(context=context)]
        self._opener = urllib.request.build_opener(*handlers)

    def call(
        self, method: str, path: str, *, headers: Optional[Mapping[str, str]] = None, body: Optional[Body] = None, attempts: Optional[int] = None,
        deadline: float = math.inf,
    ):
        """An open answer of success (a context manager to read from). ``body`` is made anew for each attempt; ``headers`` say its length."""
        return self._repeated(lambda: self._once(method, path, headers or {}, body, deadline), attempts, deadline)

    def json(
        self, method: str, path: str, value: Any = None, headers: Optional[Mapping[str, str]] = None, attempts: Optional[int] = None, deadline: float = math.inf
    ) -> Any:
        """The answer of a request whose body, if any, is JSON; None for an empty answer. It takes no longer than the client's timeout, pauses included."""
        end = min(deadline, time.monotonic() + self.timeout)
        if value is None:
            return self._read(method, path, headers, None, attempts, end)
        content = json.dumps(value).encode()
        more = {**(headers or {}), "Content-Type": "application/json", "Content-Length": str(len(content))}
        return self._read(method, path, more, lambda: iter([content]), attempts, end)

    def form(self, path: str, headers: Mapping[str, str], body: Body, deadline: float = math.inf) -> Any:
        return self._read("POST", path, headers, body, None, deadline)

    def _read(self, method: str, path: str, headers: Optional[Mapping[str, str]], body: Optional[Body], attempts: Optional[int], deadline: float) -> Any:
        def once() -> Any:
            with self._once(method, path, headers or {}, body, deadline) as answer:
                try:
                    content = answer.read()
                except (http.client.HTTPException, OSError) as error:
                    raise _connection_failed(self.base_url, error) from error
            return json.loads(content) if content else None

        return self._repeated(once, attempts, deadline)

    def _repeated(self, once: Callable[[], Any], attempts: Optional[int], deadline: float) -> Any:
        limit = attempts or self._attempts
        for attempt in range(1, limit + 1):
            try:
                return once()
            except TabcastError as error:
                if not error.retryable or attempt == limit:
                    raise
                pause = self._pause(error, attempt, deadline)
            time.sleep(pause)
        raise AssertionError("not reached")

    def _pause(self, error: TabcastError, attempt: int, deadline: float) -> float:
        """Seconds until the next attempt. Raises the error when they are more than the caller has, or the service asks for more than anybody waits for."""
        left = deadline - time.monotonic()
        if error.retry_after is None:
            pause = min(LONGEST_PAUSE, 0.5 * 2 ** (attempt - 1)) * random.uniform(0.5, 1)
            if pause >= left:
                raise error
            return pause
        most = min(LONGEST_ASKED, self.timeout, left)
        if error.retry_after > most:
            raise not_waited_for(error, most) from None
        return error.retry_after + random.uniform(0, 0.25)

    def _once(self, method: str, path: str, headers: Mapping[str, str], body: Optional[Body], deadline: float):
        own = path.startswith("/")
        url = self.base_url + path if own else path
        request = urllib.request.Request(url, data=None if body is None else body(), headers=dict(headers), method=method)  # noqa: S310
        if own:
            # Not sent to where a redirect leads: signed addresses need no key, and are perhaps another host's.
            request.add_unredirected_header("Authorization", f"Bearer {self._api_key}")
        timeout = min(self.timeout, max(LEAST_TIMEOUT, deadline - time.monotonic()))
        try:
            return self._opener.open(request, timeout=None if timeout == math.inf else timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise error_of_answer(error.code, error.read(), error.headers) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            raise _connection_failed(self.base_url, error) from error


def _connection_failed(base_url: str, error: Exception) -> TabcastError:
    reason = getattr(error, "reason", error)
    return TabcastError("connection_failed", f"{base_url}: {reason}", retryable=not isinstance(reason, ssl.SSLCertVerificationError))
