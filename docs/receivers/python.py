"""A robust webhook receiver for Python 3.10 or later. Uses only the standard library.

WEBHOOK_KEY=the-security-key-of-the-subscription python3 python.py 4011
"""

import hmac
import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PORT", "4011"))
KEY = os.environ.get("WEBHOOK_KEY", "")
MAX_BYTES = 1024 * 1024
SECONDS = 30

# Unhandled events. An event that is already in the queue is not added again.
waiting = queue.Queue()
queued = set()
lock = threading.Lock()


def handle(event, subject):
    """Put your own code here. An event only says that something changed: fetch the booking or card, and store it."""
    print(event, subject, flush=True)


def store(event, subject):
    """Store the event in your database here: after a 2xx, the service does not send it again."""
    with lock:
        if (event, subject) not in queued:
            queued.add((event, subject))
            waiting.put((event, subject))


def work():
    """Handles the queued events one at a time, after they have been acknowledged."""
    while True:
        item = waiting.get()
        with lock:
            queued.discard(item)
        try:
            handle(*item)
        except Exception as error:
            print(*item, error, file=sys.stderr, flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = SECONDS

    def do_POST(self):
        try:
            self.respond(self.receive())
        except TimeoutError:
            self.respond(408)

    def receive(self):
        """Receives an event, and returns the status of the response."""
        body = self.read_body()
        # A comparison in constant time reveals nothing about the key.
        if KEY and not hmac.compare_digest(self.headers.get("X-Security-Key", "").encode(), KEY.encode()):
            return 401
        if isinstance(body, int):
            return body
        try:
            value = json.loads(body.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return 400
        if not isinstance(value, dict):
            return 400
        # Unknown members are ignored.
        data = value.get("data") if isinstance(value.get("data"), dict) else {}
        subject = data.get("bookingId") or data.get("cardNumber")
        if subject:
            store(str(value.get("eventType")), str(subject))
        return 200

    def read_body(self):
        """Returns the body, or the status that rejects it. Reads a body to the end, even if it is too large."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return 411
        left, body, end = int(length), b"", time.monotonic() + SECONDS
        is_huge = left > MAX_BYTES
        while left > 0:
            if time.monotonic() > end:
                raise TimeoutError
            part = self.rfile.read1(min(left, 65536))
            if not part:
                # Without a response, the service sends the event again.
                raise ConnectionResetError
            left -= len(part)
            if not is_huge:
                body += part
        return 413 if is_huge else body

    def respond(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # How many connections may wait to be accepted, so that a burst of deliveries is not refused.
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = Server(("127.0.0.1", PORT), Receiver)
    if not KEY:
        print("warning: WEBHOOK_KEY is not set, so anyone can send events", file=sys.stderr, flush=True)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
