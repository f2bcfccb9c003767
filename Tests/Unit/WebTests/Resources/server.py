"""A web server for tests: prints its port and serves until the end of standard input."""
import gzip
import http.server
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def chunks(self, body, pause=0.0, count=1, **headers):
        """Sends a body in chunks, without a length."""
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        self.end_headers()
        for _ in range(count):
            self.wfile.write(body)
            self.wfile.flush()
            time.sleep(pause)
        self.close_connection = True

    def do_GET(self):
        path, _, query = self.path.partition("?")
        html = "text/html; charset=utf-8"
        try:
            if path == "/robots.txt":
                self.server.robots_reads += 1
                status, text = self.server.robots
                self.answer(status, text.encode(), Content_Type="text/plain")
            elif path == "/set-robots":
                status, _, text = query.partition("&")
                self.server.robots = (int(status), text.replace("+", " ").replace("%0A", "\n"))
                self.server.robots_reads = 0
                self.answer(204)
            elif path == "/robots-reads":
                self.answer(200, str(self.server.robots_reads).encode())
            elif path == "/page":
                self.answer(200, b"<title>Page</title>", Content_Type=html, ETag='"v1"', X_Robots_Tag="noindex")
            elif path == "/echo":
                lines = "".join(f"{name}: {value}\n" for name, value in self.headers.items())
                self.answer(200, lines.encode(), Content_Type="text/plain")
            elif path == "/conditional":
                if self.headers.get("If-None-Match") == '"v1"':
                    self.answer(304, ETag='"v1"')
                else:
                    self.answer(200, b"fresh", ETag='"v1"')
            elif path == "/redirect":
                self.answer(302, b"moved", Location=query)
            elif path == "/count":
                left = int(query)
                self.answer(302, Location=f"/count?{left - 1}") if left else self.answer(200, b"there")
            elif path == "/loop":
                self.answer(301, Location="/pool")
            elif path == "/pool":
                self.answer(307, Location="/loop")
            elif path == "/slow":
                self.chunks(b"x", pause=0.2, count=50)
            elif path == "/silent":
                time.sleep(20)
            elif path == "/large":
                self.answer(200, b"x" * int(query), Content_Type=html)
            elif path == "/large-unknown":
                self.chunks(b"x" * 65536, count=64)
            elif path == "/gzip":
                self.answer(200, gzip.compress(b"<title>Packed</title>"), Content_Encoding="gzip", Content_Type=html)
            elif path == "/bomb":
                self.answer(200, gzip.compress(b"\0" * (64 << 20)), Content_Encoding="gzip", Content_Type=html)
            elif path == "/bad-gzip":
                self.answer(200, b"this is not compressed", Content_Encoding="gzip")
            elif path == "/picture":
                self.answer(200, b"\x89PNG" * 1000, Content_Type="image/png")
            elif path == "/torn":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b"short")
                self.close_connection = True
            elif path == "/garbage":
                self.wfile.write(b"\0\1\2 no HTTP at all\r\n\r\n")
                self.close_connection = True
            elif path == "/head":
                self.send_response(200)
                for number in range(100):
                    self.send_header(f"X-{number}", "y" * 1000)
                self.end_headers()
                self.close_connection = True
            else:
                self.answer(404, b"nothing here", Content_Type=html)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


server = http.server.ThreadingHTTPServer((sys.argv[1], 0), Handler)
server.daemon_threads = True
server.robots = (404, "")
server.robots_reads = 0
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
