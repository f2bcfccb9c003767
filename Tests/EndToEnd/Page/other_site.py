"""A site of another origin, with the example page of the airport picker."""

import http.server
import threading

from service import ROOT

EXAMPLE = ROOT / "Examples/AirportElement/index.html"


class Site:
    """A web server that sends the example page. It runs at two origins: one that the airport server allows, and one that it does not."""

    def __init__(self):
        self.service = ""
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = EXAMPLE.read_text().replace("http://127.0.0.1:8080", site.service).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                # The picker needs no exception for styles, markup from text or evaluated code.
                self.send_header(
                    "Content-Security-Policy", f"default-src 'none'; script-src 'unsafe-inline' {site.service}; style-src 'unsafe-inline'; "
                    f"connect-src {site.service}; require-trusted-types-for 'script'; trusted-types 'none'")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        port = self.server.server_address[1]
        self.origin = f"http://127.0.0.1:{port}"
        self.stranger = f"http://localhost:{port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
