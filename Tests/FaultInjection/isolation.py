"""One person uses all that the server gives to one: another one's reminder and searches must not wait, and memory stays bounded."""

import base64
import socket
import struct
import threading
import time
import zlib

from bench import Bench, Connection, Crew, Row, Server

# The limits of docs/server.md.
STREAMS = 100
DEVICES = 20
MEGABYTES = 400


def test_isolation(programs):
    hanging, prompt = socket.create_server(("127.0.0.1", 0), backlog=2_000), socket.create_server(("127.0.0.1", 0))
    services = [f"http://127.0.0.1:{service.getsockname()[1]}" for service in (hanging, prompt)]
    arrived = []
    threading.Thread(target=answer, args=(prompt, arrived), daemon=True).start()
    bench = Bench(programs)
    try:
        server = Server(bench, *(option for service in services for option in ("--push-service", service)))
        good, bad = server.connect(), Connection(server)
        bad.token = server.administer("token", "create", "--create", "--person", "eve", "--scope", "all")["token"]
        prospects = []
        for person in (good, bad):
            person.done("PUT", "/v1/access/notifications", {"status": "authorized"})
            prospects.append(person.done("POST", "/v1/prospects", {"name": "Bo Quill"})["id"])
        for number in range(200):
            good.done("POST", "/v1/contacts", {"name": f"Person {number} Quill"})
        subscribe(good, services[1])
        devices, streams, scans = programs.pick(100, 1_500), programs.pick(300, 1_500), programs.pick(4, 40)
        for number in range(devices):
            subscribe(bad, f"{services[0]}/{number}")
        used = {row["what"]: row["used"] for row in bad.done("GET", "/v1/usage")["results"]}
        assert used["pushSubscriptions"] == DEVICES, used
        open_streams = [stream(server, bad.token) for _ in range(streams)]
        refused = sum(b" 429 " in sock.recv(200)[:20] for sock in open_streams)
        used = {row["what"]: row["used"] for row in bad.done("GET", "/v1/usage")["results"]}
        # Those that came in the meantime ended without an event.
        assert used["eventStreams"] == STREAMS and refused > 0, (used, refused)
        crew = Crew()
        for _ in range(scans):
            crew.add(scan, server, bad.token)
        bad.done("PUT", f"/v1/prospects/{prospects[1]}/reminder", {"in": 1})
        time.sleep(3)  # Until the messages to the hanging services are under way.
        begun = time.monotonic()
        good.done("PUT", f"/v1/prospects/{prospects[0]}/reminder", {"in": 1})
        times = []
        while time.monotonic() < begun + 10:
            asked = time.monotonic()
            assert good.done("GET", "/v1/contacts?q=quil")["results"]
            times.append(1_000 * (time.monotonic() - asked))
            time.sleep(0.05)
        assert len(arrived) == 1, f"{len(arrived)} messages arrived"
        late = arrived[0] - begun - 1
        peak = memory(server.process.pid)
        assert peak < MEGABYTES, f"{peak} MB"
        for sock in open_streams:
            sock.close()
        crew.join()
        server.stop()
    finally:
        bench.end()
        hanging.close()
    times.sort()
    return [Row(
        f"One person subscribes {devices:,} services that hang, opens {streams:,} event streams and sends {scans} pictures that keep a reader busy",
        f"{len(times)} searches of another: median {times[len(times) // 2]:.0f} ms, 99 % within {times[len(times) * 99 // 100]:.0f} ms",
        f"none; {streams - STREAMS:,} streams refused, {DEVICES} devices kept; the other's reminder came {late:.1f} s after it was due; at most {peak:.0f} MB")]


def subscribe(person, endpoint):
    # The base point of P-256.
    point = "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    keys = {"p256dh": text_of(bytes.fromhex(point)), "auth": text_of(bytes(16))}
    person.done("PUT", "/v1/push", {"endpoint": endpoint, "keys": keys})


def text_of(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def answer(service, arrived):
    """Accepts messages at once."""
    while True:
        connection, _ = service.accept()
        connection.recv(1 << 16)
        arrived.append(time.monotonic())
        connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        connection.close()


def stream(server, token):
    sock = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    sock.sendall(
        f"GET /v1/events HTTP/1.1\r\nHost: localhost:{server.port}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return sock


def scan(server, token):
    """Sends a picture within the limits that readers of codes take long for. It is read, given up or refused."""
    person = Connection(server)
    person.token = token
    person.http = None
    width, height = 12_000, 5_000
    rows = zlib.compress(b"".join(b"\0" + b"\xAA" * (width // 8) for _ in range(height)), 9)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    picture = (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) + chunk(b"IDAT", rows)
        + chunk(b"IEND", b""))
    status, text = person.ask("POST", "/v1/prospects/scan", picture)
    assert status in (200, 422, 429, 503), (status, text)


def memory(process):
    """Returns the peak of the resident memory in megabytes."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1_024 for line in status if line.startswith("VmHWM"))
