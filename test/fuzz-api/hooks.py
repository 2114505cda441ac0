"""What Schemathesis cannot read from the interface description: what a dataset looks like, and whose keys there are."""

import hashlib
import itertools
import json
import os
import re

import schemathesis
from hypothesis import strategies as st

KEYS = json.loads(os.environ["FUZZ_API_KEYS"])
SEEDED = set(json.loads(os.environ["FUZZ_API_SEEDED_IDS"]))
EXAMPLES = json.loads(os.environ["FUZZ_API_EXAMPLES"])
COUNTER = itertools.count()
# One request in so many goes with a key that has a single scope.
SCOPED_SHARE = 6


def panel(series, steps, values):
    rows = [
        f"s{item},2024-{month // 28 % 12 + 1:02d}-{month % 28 + 1:02d},{values[(item * steps + month) % len(values)]}"
        for item in range(series)
        for month in range(steps)
    ]
    return ("item_id,timestamp,target\n" + "\n".join(rows) + "\n").encode()


numbers = st.lists(st.floats(allow_nan=False, width=32) | st.integers(-1000, 1000), min_size=1, max_size=20)
panels = st.builds(panel, st.integers(1, 3), st.integers(1, 40), numbers)
# Text that looks like a table, and bytes that look like nothing.
texts = st.text(alphabet=st.sampled_from('abc,;\t"\n\r\0 0123456789.-eE+:TZ/é\ufeff'), max_size=400).map(str.encode)
schemathesis.openapi.media_type("text/csv", st.one_of(panels, panels, panels, texts, st.binary(max_size=400)))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Gives the file of every form its type and a name, without which none is taken, and bodies an example."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {})
            # Those of the description name what was there when they were recorded.
            for body in content.values():
                body.pop("example", None)
            form = content.get("multipart/form-data")
            if operation["operationId"] in EXAMPLES:
                (form or content["application/json"])["example"] = EXAMPLES[operation["operationId"]]
            if form is not None:
                disposition = {"example": 'form-data; name="file"; filename="data.csv"'}
                form["encoding"] = {"file": {"contentType": "text/csv", "headers": {"Content-Disposition": disposition}}}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Chooses keys, by what is sent, so that a seed repeats it, and Idempotency-Keys."""
    headers = case.headers or {}
    sent = repr((case.method, case.path, case.path_parameters, case.query, case.body))
    number = int.from_bytes(hashlib.sha256(sent.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    # One key for all requests would be a conflict for all but the first, and a repeat tells of what is gone by then.
    if re.fullmatch("[ -~]{1,255}", str(headers.get("Idempotency-Key", ""))):
        headers["Idempotency-Key"] = str(next(COUNTER))
    # Another tenant's key, a wrong one and none are what a check sends, and stay.
    if headers.get("Authorization") != f"Bearer {KEYS['alpha']}":
        return
    if number % SCOPED_SHARE == 0:
        scoped = KEYS["scoped"]
        headers["Authorization"] = f"Bearer {scoped[number // SCOPED_SHARE % len(scoped)]}"
        # Else its 403 would count against the user that the request was made for.
        case._auth_identity = None
    elif case.path.startswith("/admin/"):
        headers["Authorization"] = f"Bearer {KEYS['admin']}"
        case._auth_identity = "admin"


# What the validator says of a value; any other refusal of a field is a rule that JSON Schema cannot state, such as
# that of two fields one has to be there.
SCHEMA_ERRORS = {
    "extra_forbidden", "literal_error", "string_type", "string_too_short", "string_too_long", "string_pattern_mismatch",
    "int_type", "int_parsing", "int_from_float", "float_type", "float_parsing", "bool_type", "bool_parsing", "list_type",
    "dict_type", "too_short", "too_long", "greater_than_equal", "less_than_equal",
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """A field that the schema takes may break another rule; only a refusal by the schema contradicts the description."""
    # A header or an address above its bound is refused by Node.js, before anybody looks at the method.
    if type(failure).__name__ == "UnsupportedMethodResponse" and response.status_code == 431:
        return False
    # A key has two addresses, /keys and /admin/keys: another request may have revoked it at the other one.
    if type(failure).__name__ == "EnsureResourceAvailability" and "/keys" in case.path:
        return False
    if type(failure).__name__ != "RejectedPositiveData":
        return True
    detail = response.json()["detail"]
    # A form has no null: what Schemathesis sends for it is the text.
    return isinstance(detail, list) and any(
        field["type"] in SCHEMA_ERRORS and field.get("input") != "null" for field in detail
    )


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """What was there before the run stays: a deletion reaches what the run has made itself."""
    # None where a negative test leaves them out altogether.
    if context.operation.method.upper() != "DELETE" or path_parameters is None:
        return path_parameters
    return {name: "x" if value in SEEDED else value for name, value in path_parameters.items()}


@schemathesis.hook
def map_query(context, query):
    """A long poll of half a minute tries nothing that one of two seconds does not."""
    wait = (query or {}).get("wait")
    return {**query, "wait": wait % 3} if isinstance(wait, int) and 0 <= wait <= 30 else query
