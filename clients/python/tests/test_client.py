"""Runs against a service. TABCAST_URL and TABCAST_API_KEY name it, ADMIN_KEY has the scope admin. Proxies before it: LOSING_URL loses the first answer
to a POST, LIMITING_URL answers 429 and says in the path when to come back, BUSY_URL answers twice with 503 and Retry-After, CUTTING_URL cuts the first download short. CALLBACK_URL is a receiver that the service may
call, and CALLBACKS a file with a line of JSON for each callback."""

import base64
import hashlib
import hmac
import http.server
import importlib.util
import json
import os
import pathlib
import tempfile
import threading
import time
import unittest

from tabcast import Client, TabcastError, WebhookError, verify_webhook

URL = os.environ["TABCAST_URL"]


def rows(series=2, length=36):
    return [
        {"item_id": f"series-{item}", "timestamp": f"{2020 + step // 12}-{step % 12 + 1:02}-01", "target": 100 + item + step + step * 7 % 11}
        for item in range(series) for step in range(length)
    ]


def has(name):
    return importlib.util.find_spec(name) is not None


class ForecastTest(unittest.TestCase):
    def setUp(self):
        self.client = Client()

    def test_rows(self):
        seen = []
        table = self.client.forecast(rows(), 6, preset="fast", quantiles=[0.1, 0.9], freq="MS", timeout=60, on_progress=seen.append)
        self.assertEqual(list(table[0]), ["item_id", "timestamp", "mean", "0.1", "0.9"])
        self.assertEqual(len(table), 12)
        self.assertTrue(all(row["0.1"] <= row["mean"] <= row["0.9"] for row in table))
        self.assertEqual(seen[-1]["status"], "completed")

    def test_report(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.html"
            table = [{"size": at, "kind": "ab"[at % 2], "target": "ab"[at > 20]} for at in range(120)]
            for forecast in (lambda: self.client.forecast(rows(), 3, preset="fast", report=str(path)), lambda: self.client.classify(table, train_split_ratio=0.8, report=path)):
                self.assertIsInstance(forecast()[0], dict)
                self.assertTrue(path.read_text(encoding="utf-8").lower().startswith("<!doctype html>"))
                self.assertEqual(os.listdir(folder), ["report.html"])
                path.unlink()

    def test_file_and_formats(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'sales "1".csv'
            path.write_text("item_id,timestamp,target\n" + "".join(f"{row['item_id']},{row['timestamp']},{row['target']}\n" for row in rows()))
            job = self.client.forecast(path, 3, preset="fast", metadata={"team": "a"}, wait=False)
            self.assertEqual(job["status"], "pending")
            self.assertEqual(self.client.wait(job)["metadata"], {"team": "a"})
            self.assertEqual(len(self.client.result(job)), 6)
            for name, magic in (("a.parquet", b"PAR1"), ("a.zip", b"PK\x03\x04"), ("a.csv", b"item")):
                self.assertEqual(self.client.download(job, pathlib.Path(folder) / name).read_bytes()[:4], magic)
            self.assertIn("<h1>Forecast of 2 series", self.client.report(job, pathlib.Path(folder) / "a.html").read_text(encoding="utf-8"))
            self.assertEqual(sorted(os.listdir(folder)), ["a.csv", "a.html", "a.parquet", "a.zip", 'sales "1".csv'])
        self.assertIn(job["job_id"], [each["job_id"] for each in self.client.jobs(status=["completed", "failed"], job_type="forecast")])
        self.client.delete(job)
        with self.assertRaises(TabcastError) as caught:
            self.client.job(job)
        self.assertEqual((caught.exception.code, caught.exception.status, caught.exception.retryable), ("job_not_found", 404, False))

    @unittest.skipUnless(has("pandas"), "NOT TESTED: pandas is not installed")
    def test_pandas(self):
        import pandas

        frame = pandas.DataFrame(rows())
        frame["timestamp"] = pandas.to_datetime(frame["timestamp"])
        table = self.client.forecast(frame, 4, preset="fast", quantiles=[0.5])
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(list(table.columns), ["item_id", "timestamp", "mean", "0.5"])
        self.assertEqual(table["timestamp"].min(), pandas.Timestamp("2023-01-01"))

    @unittest.skipUnless(has("polars"), "NOT TESTED: polars is not installed")
    def test_polars(self):
        import polars

        table = self.client.forecast(polars.DataFrame(rows()).with_columns(polars.col("timestamp").str.to_datetime()), 4, preset="fast", quantiles=[0.5])
        self.assertIsInstance(table, polars.DataFrame)
        self.assertEqual((table.columns, table.height), (["item_id", "timestamp", "mean", "0.5"], 8))

    def test_stored_object(self):
        stored = self.client.upload(rows())
        self.assertEqual(stored["status"], "uploaded")
        jobs = [self.client.forecast_object(stored["object_id"], 2, preset="fast", quantiles=[0.5]) for _ in range(2)]
        self.assertEqual([len(self.client.result(self.client.wait(job))) for job in jobs], [4, 4])

    def test_tables(self):
        table = [{"size": at, "kind": "ab"[at % 2], "target": "yes" if at % 2 and at > 20 else "no"} for at in range(120)]
        predicted = self.client.classify(table, train_split_ratio=0.8)
        self.assertIn(predicted[0]["prediction"], ("yes", "no"))
        prices = self.client.regress([{**row, "target": 3.0 * row["size"]} for row in table], "target")
        self.assertIn("prediction", prices[0])


class FailureTest(unittest.TestCase):
    def test_refusals(self):
        client = Client()
        with self.assertRaises(TabcastError) as caught:
            client.forecast([{"item_id": "a", "timestamp": "2024-01-01", "target": "x"}, {"item_id": "a", "timestamp": "2024-02-01", "target": 1}])
        error = caught.exception
        self.assertEqual((error.code, error.status, error.retryable), ("validation_error", 422, False))
        self.assertEqual(error.fields[0]["loc"], ["body", "file", "target"])
        self.assertIn("file.target, row 1", error.detail)
        self.assertTrue(error.request_id)
        with self.assertRaises(TabcastError) as caught:
            client.forecast(rows(), preset="slow")
        self.assertEqual((caught.exception.code, caught.exception.status), ("invalid_preset", 400))
        self.assertTrue(caught.exception.suggestion)
        with self.assertRaises(TabcastError) as caught:
            Client(URL, "tbc_live_none").submit(rows())
        self.assertEqual((caught.exception.code, caught.exception.status), ("auth_failed", 401))
        self.assertRaises(TypeError, client.forecast, 7)
        self.assertRaises(ValueError, Client, "localhost:8080", "key")

    def test_no_service(self):
        with self.assertRaises(TabcastError) as caught:
            Client("http://127.0.0.1:1", "key", attempts=2).job("job_x")
        self.assertEqual((caught.exception.code, caught.exception.status, caught.exception.retryable), ("connection_failed", None, True))

    def test_broken_download(self):
        client = Client(os.environ["CUTTING_URL"])
        job = client.wait(client.submit(rows(), 3, preset="fast"))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(client.download(job, pathlib.Path(folder) / "a.csv").read_text().splitlines()), 7)
            self.assertEqual(os.listdir(folder), ["a.csv"])

    def test_broken_answer(self):
        asked = []

        class Breaking(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"{")

            def log_message(self, *args):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Breaking) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with self.assertRaises(TabcastError) as caught:
                Client(f"http://127.0.0.1:{server.server_port}", "key", attempts=3).job("job_x")
            server.shutdown()
        self.assertEqual((caught.exception.code, caught.exception.retryable), ("connection_failed", True))
        self.assertEqual(len(asked), 3, "so many attempts in all")

    def test_hostile_callback(self):
        secret, body, now = "whsec_a2V5", b'{"type": "job.completed"}', 1700000000
        signature = "v1," + base64.b64encode(hmac.new(b"key", b"m.%d." % now + body, hashlib.sha256).digest()).decode()
        headers = {"webhook-id": "m", "webhook-timestamp": str(now), "webhook-signature": " ".join(["v1,eA=="] * 9 + [signature])}
        self.assertEqual(verify_webhook(body, headers, secret, now=now), {"type": "job.completed"})
        for more, text in (({"webhook-timestamp": "9" * 5000}, "fresh"), ({"webhook-signature": "v1,eA== " + headers["webhook-signature"]}, "signature")):
            with self.assertRaisesRegex(WebhookError, text):
                verify_webhook(body, {**headers, **more}, secret, now=now)

    def test_timeout(self):
        client = Client()
        job = client.submit(rows(), 3, preset="fast")
        with self.assertRaises(TabcastError) as caught:
            client.wait(job, timeout=0)
        self.assertEqual((caught.exception.code, caught.exception.job_id), ("timeout", job["job_id"]))
        client.wait(job)

    def test_lost_answer(self):
        name = f"lost-{time.time()}"
        job = Client(os.environ["LOSING_URL"]).submit(rows(), 3, preset="fast", name=name)
        same = [each["job_id"] for each in Client().jobs() if each["name"] == name]
        self.assertEqual(same, [job["job_id"]], "the repeat got the job of the lost answer")

    def test_busy(self):
        start = time.monotonic()
        job = Client(os.environ["BUSY_URL"]).submit(rows(), 3, preset="fast")
        self.assertGreaterEqual(time.monotonic() - start, 2, "two pauses of a second, as Retry-After says")
        self.assertEqual(job["status"], "pending")


class LimitedTest(unittest.TestCase):
    def refused(self, work, *args, **options):
        with self.assertRaises(TabcastError) as caught:
            work(*args, **options)
        self.assertEqual((caught.exception.code, caught.exception.status, caught.exception.retryable), ("rate_limited", 429, True))
        return caught.exception

    def setUp(self):
        self.url = os.environ["LIMITING_URL"]

    def test_long_waits_are_errors_at_once(self):
        client = Client(self.url)
        start = time.monotonic()
        error = self.refused(client.forecast, rows(), timeout=30)
        self.assertEqual(error.retry_after, 29869)
        self.assertRegex(str(error), r"Ask for more\. Try again in 29869 s, at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ; no more than 29 s are waited here\.$")
        self.assertIn("no more than 59 s", self.refused(client.job, "after-61").suggestion)
        self.assertIn("no more than 4 s", self.refused(Client(self.url, timeout=5).job, "after-6").suggestion)
        error = self.refused(client.wait, "after-10", timeout=3)
        self.assertEqual((error.job_id, error.retry_after), ("after-10", 10))
        for form in ("date", "asctime"):
            self.assertEqual(self.refused(client.job, f"{form}-7200").retry_after, 7200, "counted from the date of the answer")
        self.assertLess(time.monotonic() - start, 20, "none of it was waited for")
        self.assertIsNone(self.refused(Client(self.url, attempts=2).job, "soon").retry_after)

    def test_the_timeout_bounds_all_of_a_call(self):
        for work in (lambda: Client(self.url, timeout=4).job("after-1"), lambda: Client(self.url).wait("after-1", timeout=4)):
            start = time.monotonic()
            self.refused(work)
            took = time.monotonic() - start
            self.assertGreaterEqual(took, 2, "pauses that fit are made")
            self.assertLess(took, 5)


class WebhookTest(unittest.TestCase):
    def test_callback(self):
        client = Client()
        job = client.wait(client.submit(rows(), 3, preset="fast", callback_url=os.environ["CALLBACK_URL"]))
        delivery, end = None, time.monotonic() + 30
        while delivery is None and time.monotonic() < end:
            time.sleep(0.1)
            lines = pathlib.Path(os.environ["CALLBACKS"]).read_text().splitlines()
            delivery = next((each for each in map(json.loads, lines) if job["job_id"] in each["body"]), None)
        self.assertIsNotNone(delivery, "a callback came")
        secret = Client(api_key=os.environ["ADMIN_KEY"]).webhook_secret()
        event = verify_webhook(delivery["body"].encode(), delivery["headers"], secret)
        self.assertEqual((event["type"], event["data"]["job_id"]), ("job.completed", job["job_id"]))
        for body, headers, text in (
            (delivery["body"] + " ", delivery["headers"], "signature"),
            (delivery["body"], {**delivery["headers"], "webhook-signature": "v1,???"}, "signature"),
            (delivery["body"], {**delivery["headers"], "webhook-timestamp": str(int(time.time()) - 301)}, "fresh"),
            (delivery["body"], {}, "webhook-id"),
        ):
            with self.assertRaisesRegex(WebhookError, text):
                verify_webhook(body, headers, secret)


if __name__ == "__main__":
    unittest.main()
