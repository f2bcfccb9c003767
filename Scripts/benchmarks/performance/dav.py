"""Syncs an address book as a client does: the server and Radicale, in turn.

A sync is a sync-collection report and multiget reports of 100 cards each, on one connection. Prints the median of five
runs, the time of a PUT into a small and a full book, and the memory of the servers.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
for folder in ["DAV", "Page", "FolderSync"]:
    sys.path.append(str(ROOT / "Tests/EndToEnd" / folder))

import carddav
import service as page_service
from client import DECLARED, Client
from fixture import Fixture

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
RUNS = 5


class Peer(Client):
    """A client of Radicale."""

    def path(self, *parts, home=""):
        return "/ana/book/" + "/".join(parts)


def cards():
    made = subprocess.run(
        [ROOT / "Scripts/data/generate-contacts", "--count", str(COUNT), "--seed", "1"], check=True, stdout=subprocess.PIPE).stdout
    for number, card in enumerate(made.replace(b"\r\n", b"\n").split(b"END:VCARD\n")[:-1]):
        lines = [line for line in card.split(b"\n") if line and not line.startswith((b"UID", b"PHOTO"))]
        lines.insert(2, b"UID:bench-%d" % number)
        yield b"\r\n".join([*lines, b"END:VCARD", b""])


def memory(process, key):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024


def timed(body):
    start = time.perf_counter()
    result = body()
    return (time.perf_counter() - start) * 1000, result


def sync(client, token=""):
    book = client.path("contacts") + "/" if not isinstance(client, Peer) else client.path()
    answer = client.changes(book, token)
    hrefs = [href for href, row in answer.rows.items() if row.status is None and not href.endswith("/")]
    for start in range(0, len(hrefs), 100):
        wanted = "".join(f"<D:href>{href}</D:href>" for href in hrefs[start:start + 100])
        body = f"<C:addressbook-multiget {DECLARED}><D:prop><D:getetag/><C:address-data/></D:prop>{wanted}</C:addressbook-multiget>"
        assert client.ask("REPORT", book, body, Depth=0).status == 207
    return answer.token, len(hrefs)


def measure(name, client, process):
    rows = {}
    rows["whole first sync, first time"] = timed(lambda: sync(client))[0]
    rows["whole first sync, again"] = statistics.median(timed(lambda: sync(client))[0] for _ in range(RUNS))
    token = sync(client)[0]
    changed, nothing = [], []
    for run in range(RUNS):
        for number in range(10):
            path = client.path("contacts", f"{number}.vcf") if not isinstance(client, Peer) else client.path(f"{number}.vcf")
            text = client.ask("GET", path).body.replace(b"END:VCARD", b"NOTE:run %d\r\nEND:VCARD" % run)
            assert client.put(path, text).status in (201, 204)
        duration, (token, count) = timed(lambda: sync(client, token))
        assert count == 10, count
        changed.append(duration)
        duration, (token, count) = timed(lambda: sync(client, token))
        assert count == 0
        nothing.append(duration)
    rows["ten changes"], rows["nothing changed"] = statistics.median(changed), statistics.median(nothing)
    puts = []
    for number in range(20):
        path = client.path("contacts", f"new{number}.vcf") if not isinstance(client, Peer) else client.path(f"new{number}.vcf")
        text = b"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:new%d\r\nFN:New %d\r\nN:%d;New;;;\r\nEND:VCARD\r\n" % (number, number, number)
        puts.append(timed(lambda: client.put(path, text))[0])
    rows[f"PUT of a new card, {COUNT} cards"] = statistics.median(puts)
    rows["peak memory, MB"] = memory(process, "VmHWM")
    for key, value in rows.items():
        print(f"{name}: {key}: {value:.1f}{'' if 'memory' in key else ' ms'}", flush=True)


def main():
    texts = list(cards())
    with page_service.Service(os.environ["SWITCHBOARD_SERVER_PROGRAM"]) as service:
        client = Client(service, "ana", service.token("ana"))
        before = memory(service.process, "VmRSS")
        times = [timed(lambda: client.put(client.path("contacts", f"{number}.vcf"), text))[0] for number, text in enumerate(texts)]
        print(f"Switchboard: PUT of a new card, 100 cards: {statistics.median(times[80:120]):.1f} ms; all: {sum(times) / 1000:.1f} s")
        print(f"Switchboard: memory, MB: {before:.0f} before, {memory(service.process, 'VmRSS'):.0f} with {COUNT} cards")
        measure("Switchboard", client, service.process)
    fixture = Fixture("")
    server = carddav.Server(fixture.root)
    try:
        # One by one would take minutes.
        folder = fixture.root / "radicale/collection-root/ana/book"
        for number, text in enumerate(texts):
            (folder / f"{number}.vcf").write_bytes(text)
        service.base = f"http://127.0.0.1:{server.port}"
        measure("Radicale", Peer(service, "ana", "ana"), server.process)
    finally:
        server.stop()
        fixture.remove()


main()
