"""A slow line to a server: a proxy that delays each request, and limits the bytes per second of all responses together."""

import socket
import threading
import time


class SlowLine:
    """A proxy that delays and limits pages and service workers alike, unlike the emulation of the browser."""

    def __init__(self, port, delay=0.4, bytes_per_second=50_000):
        self.target = port
        self.delay = delay
        self.rate = bytes_per_second
        self.free_at = 0.0
        self.lock = threading.Lock()
        #: Whether requests end with their connection.
        self.is_cut = False
        self.count = 0
        self.received = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def reset(self):
        self.count = self.received = 0

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self._send, args=(client, server), daemon=True).start()
            threading.Thread(target=self._receive, args=(server, client), daemon=True).start()

    def _send(self, client, server):
        """Passes requests on, each after the delay. A browser sends the next request of a connection after the response."""
        try:
            while data := client.recv(65_536):
                self.count += data.startswith((b"GET ", b"POST "))
                time.sleep(self.delay)
                if self.is_cut:
                    client.shutdown(socket.SHUT_RDWR)
                    break
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            server.close()

    def _receive(self, server, client):
        """Passes responses on, at the rate that all connections share."""
        try:
            while data := server.recv(4_096):
                with self.lock:
                    self.free_at = max(self.free_at, time.monotonic()) + len(data) / self.rate
                    wait = self.free_at - time.monotonic()
                    self.received += len(data)
                time.sleep(max(0.0, wait))
                client.sendall(data)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            client.close()
