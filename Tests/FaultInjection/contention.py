"""Eight writers and a server with four clients share one file. No one gets a lock error."""

import random
import time

from bench import Bench, Crew, Row, Server


def test_contention(programs):
    bench = Bench(programs)
    server = Server(bench)
    bench.database = server.database
    seconds = programs.pick(5, 60)
    wanted = programs.pick(40, 1000)
    crew = Crew()
    counts = {"command": [0] * 8, "server": [0] * 4}
    longest = [0.0] * 12

    def work(kind, number, write):
        rng = random.Random(number)
        done = 0
        while not crew.is_over.is_set():
            begun = time.monotonic()
            write(number, done, rng)
            place = number if kind == "command" else 8 + number
            longest[place] = max(longest[place], time.monotonic() - begun)
            done += 1
            counts[kind][number] = done

    def by_command(number, done, rng):
        # Most writes are small; every tenth takes long.
        if done % 10 == 5:
            text = "".join(f'{{"id": "c{number}-{done}-{part}", "title": "Item {part}"}}\n' for part in range(programs.pick(100, 500)))
            ending = bench.run("index", "put", "-", text=text)
        else:
            ending = bench.run("contacts", "add", "--name", f"Command{number}x{done} Bird")
        assert ending.status == 0 and "lock" not in ending.errors, ending

    connections = [server.connect() for _ in range(4)]

    def by_server(number, done, rng):
        connection = connections[number]
        status, body = connection.ask("POST", "/v1/contacts", {"name": f"Web{number}x{done} Bird"})
        assert status == 201, (status, body)
        status, body = connection.ask("GET", "/v1/find?q=bird")
        assert status == 200, (status, body)

    for number in range(8):
        crew.add(work, "command", number, by_command)
    for number in range(4):
        crew.add(work, "server", number, by_server)
    end = time.monotonic() + seconds
    # Slow machines take longer until each writer has had a few turns.
    while not crew.is_over.is_set() and (time.monotonic() < end or min(*counts["command"], *counts["server"]) < wanted // 20):
        time.sleep(0.1)
    crew.join()
    bench.check()
    names = {name for name, *_ in bench.contacts()}
    expected = {f"Web{n}x{d} Bird" for n in range(4) for d in range(counts["server"][n])}
    expected |= {f"Command{n}x{d} Bird" for n in range(8) for d in range(counts["command"][n]) if d % 10 != 5}
    assert expected <= names, f"lost: {sorted(expected - names)}"
    assert '"locked"' not in server.log_text, "the server's log contains lock errors"
    server.stop()
    bench.end()
    commands, requests = sum(counts["command"]), 2 * sum(counts["server"])
    return [Row(
        "Eight command lines and a server with four clients write to one file continuously",
        f"{commands:,} commands and {requests:,} requests",
        f"none, and no lock errors; the longest wait was {max(longest):.1f} s")]
