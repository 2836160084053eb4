"""A receiver of events that stands what happens to receivers. Python 3.10 or later, standard library only.

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

# What is still to be handled, by booking or card: an event that comes twice finds its place taken.
waiting = queue.Queue()
taken = set()
lock = threading.Lock()


def handle(event, subject):
    """Put your own work here. An event says only that something changed: read the booking or card, and store what it is now."""
    print(event, subject, flush=True)


def keep(event, subject):
    """Keep it in your database here: what is answered with 2xx never comes again."""
    with lock:
        if (event, subject) not in taken:
            taken.add((event, subject))
            waiting.put((event, subject))


def work():
    """Handles what waits, one after the other, after the answers."""
    while True:
        item = waiting.get()
        with lock:
            taken.discard(item)
        try:
            handle(*item)
        except Exception as error:
            print(*item, error, file=sys.stderr, flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = SECONDS

    def do_POST(self):
        try:
            self.answer(self.take())
        except TimeoutError:
            self.answer(408)

    def take(self):
        """The status of the answer."""
        body = self.body()
        # Takes the same time whatever the key is.
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
        # Unknown events and members are passed over.
        data = value.get("data") if isinstance(value.get("data"), dict) else {}
        subject = data.get("bookingId") or data.get("cardNumber")
        if subject:
            keep(str(value.get("eventType")), str(subject))
        return 200

    def body(self):
        """The body, or the status that refuses it. One that is too large is read to its end and thrown away."""
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
                # Without an answer, the service sends it again.
                raise ConnectionResetError
            left -= len(part)
            if not is_huge:
                body += part
        return 413 if is_huge else body

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # Deliveries that come at once wait here, and not at the door.
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = Server(("127.0.0.1", PORT), Receiver)
    if not KEY:
        print("warning: WEBHOOK_KEY is not set, so anybody may deliver", file=sys.stderr, flush=True)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
