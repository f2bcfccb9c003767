import Foundation
import Glibc
import Testing

@Suite("Items and activities")
struct IndexCommandTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private static let shows = #"""
        [{"id": "dunes", "domain": "tv-shows", "title": "Breaking Dunes", "keywords": ["drama", "desert"], "rating": 5,
          "contentDescription": "A chemist walks into the desert.", "custom": {"channel": "ARTE"}},
         {"id": "harbour", "domain": "tv-shows.crime", "title": "Harbour Lights", "keywords": ["crime", "drama"],
          "expiresAt": null}]
        """#

    private func put(_ text: String, _ more: String...) throws -> RunResult {
        try bench.run(["index", "put", "-", "--json"] + more, input: text)
    }

    @Test("Puts, gets, lists, searches, queries and deletes items")
    func items() throws {
        let put = try put(Self.shows, "--client-state", "change 7")
        #expect(put.output == #"{"indexed": 2, "updated": 0, "clientState": "change 7"}"# + "\n")
        let row = try JSONObject(line: try bench.run("index", "get", "harbour", "--json").output)
        try row.checkRow(isFound: false)
        #expect(try row.string("kind") == "item" && row.object("item").isNull("expiresAt"))
        #expect(try row.object("item").string("domain") == "tv-shows.crime")
        #expect(try bench.run("index", "list", "--json").listed().ids() == ["dunes", "harbour"])
        #expect(try bench.run("index", "list", "--domain", "tv-shows.crime", "--json").listed().ids() == ["harbour"])
        #expect(try bench.run("index", "search", "drama", "--json").found().ids() == ["dunes", "harbour"])
        #expect(try bench.run("index", "search", "braking", "--json").found().titles() == ["Breaking Dunes"])
        #expect(
            try bench.run("index", "search", "drama", "--where", "rating > 4", "--json").found().ids() == ["dunes"])
        #expect(try bench.run("index", "query", "channel == 'arte'c", "--json").found().ids() == ["dunes"])
        #expect(try bench.run("index", "suggest", "har").output == "Harbour\n")
        let stats = try JSONObject(line: try bench.run("index", "stats", "--json").output)
        #expect(try stats.integer("items") == 2 && stats.string("clientState") == "change 7")
        #expect(try bench.run("index", "delete", "nothing").status == 1)
        #expect(
            try bench.run("index", "delete", "--domain", "tv-shows", "--json").output
                == #"{"ids": ["dunes", "harbour"]}"# + "\n")
        #expect(try bench.run("index", "search", "drama").status == 1)
        #expect(try bench.run("index", "get", "dunes").status == 1)
    }

    @Test("Searches are sorted, counted, limited to a place, and know operators, synonyms and indexed ranges")
    func order() throws {
        let film = #"[{"id": "film", "title": "Dune Sea", "rating": 3, "latitude": 48.9, "longitude": 2.4}]"#
        #expect(try put(Self.shows).status == 0 && put(film).status == 0)
        func ids(_ arguments: String...) throws -> [String] {
            try bench.run(["index"] + arguments + ["--json"]).found().ids()
        }
        #expect(try ids("search", "dune", "--sort", "rating") == ["film", "dunes"])
        #expect(try ids("search", "dune", "--sort", "-rating") == ["dunes", "film"])
        #expect(try ids("search", "dune -sea") == ["dunes"])
        #expect(try ids("search", "\"dune sea\" OR lights", "--sort", "title") == ["film", "harbour"])
        #expect(try ids("search", "", "--near", "48,2", "--radius", "200") == ["film"])
        #expect(try ids("query", "title == *", "--near", "48,2") == ["film", "dunes", "harbour"])
        let counted = try bench.run("index", "search", "drama", "--facet", "keywords", "--json").json()
        let facet = try counted.objects("facets")[0]
        #expect(try facet.string("attribute") == "keywords" && facet.objects("values")[0].integer("count") == 2)
        #expect(
            try bench.run("index", "query", "rating >= 3", "--facet", "channel").output.hasSuffix(
                "\n\nchannel  ARTE  1\n"))
        #expect(
            try bench.run("index", "synonyms", "-", input: "film, movie\nlights, lamps\n").output.hasSuffix("lamps\n"))
        #expect(try ids("search", "lamps") == ["harbour"])
        #expect(try bench.run("index", "synonyms", "-", input: "film\n").status == 64)
        #expect(
            try bench.run("index", "synonyms", "--json").output
                == #"{"synonyms": [["film", "movie"], ["lights", "lamps"]]}"# + "\n")
        #expect(try bench.run("index", "declare", "rating", "--indexed").status == 0)
        #expect(try ids("query", "rating > 3") == ["dunes"])
        #expect(try bench.run("index", "declare", "title", "--indexed").status == 64)
        // Nothing is declared halfway, and a known attribute needs no type.
        #expect(try bench.run("index", "declare", "size", "--indexed").status == 64)
        #expect(try bench.run("index", "declare", "size", "--type", "number", "--indexed").status == 0)
        #expect(try bench.run("index", "declare", "size", "--no-indexed").status == 0)
        for wrong in ["--sort=nix", "--sort=distance", "--radius=3", "--near=99,9", "--boost=keywords", "--facet=nix"] {
            let result = try bench.run("index", "search", "dune", wrong)
            #expect(
                result.status == 64 && result.errors.split(separator: "\n").count == 1, "\(wrong): \(result.errors)")
        }
    }

    @Test("Updates items, uses a named index, and runs batches")
    func further() throws {
        #expect(try put(Self.shows).status == 0)
        let updated = try put(#"{"id": "dunes", "isUpdate": true, "title": "Breaking Sands", "rating": null}"#)
        #expect(updated.output == #"{"indexed": 0, "updated": 1, "clientState": null}"# + "\n")
        #expect(try put(#"{"id": "n", "title": "Dunes of notes"}"#, "--index", "notes").status == 0)
        #expect(try bench.run("index", "search", "dunes", "--json").status == 1)
        #expect(try bench.run("index", "search", "dunes", "--index", "notes", "--json").found().ids() == ["n"])
        let batch = try bench.run("index", "search", "--batch", input: "sands\nlights\n\nqqqq\n")
        #expect(batch.lines.count == 4 && batch.status == 0)
        let queries = try bench.run("index", "query", "--batch", input: "rating == *\ntitel == 'x'\n")
        #expect(queries.lines.count == 2 && queries.status == 65)
    }

    @Test(
        "Rejects invalid input with one line and its position, and stores nothing",
        arguments: [
            (#"[{"id": "ok"}, {"id": "a", "titel": "x"}]"#, [], 65, "malformedInput"),
            (#"{"id": "a", "title": 7}"#, [], 65, "malformedInput"), ("[1]", [], 65, "malformedInput"),
            ("{\"id\": \"ok\"}\n{\"id\": ", [], 65, "malformedInput"),
            (#"{"id": "gone", "isUpdate": true, "title": "x"}"#, [], 65, "malformedInput"),
            (#"{"id": "a"}"#, ["--client-state", String(repeating: "x", count: 300)], 64, "invalidClientState"),
            (#"{"id": "a"}"#, ["--expect-state", "other"], 75, "mismatchedClientState"),
            (#"{"id": "a"}"#, ["--index", "a/b"], 64, "invalidName"),
            (#"{"id": "a"}"#, ["--batch-size", "0"], 64, "usage"),
        ])
    func badInput(_ text: String, _ more: [String], _ status: Int32, _ code: String) throws {
        let result = try bench.run(["index", "put", "-", "--json"] + more, input: text)
        #expect(result.status == status && result.output.isEmpty, "\(result)")
        let fault = try JSONObject(line: result.errors).object("error")
        #expect(try fault.string("code") == code)
        if status == 65 { #expect(try fault.integer("line") >= 1 && fault.integer("column") >= 1) }
        #expect(try bench.run("index", "list", "--json").listed().isEmpty)
    }

    @Test("Reports the column of a syntax error in a query")
    func badQuery() throws {
        let result = try bench.run("index", "query", "title = = 'x'", "--json")
        #expect(result.status == 64)
        #expect(try JSONObject(line: result.errors).object("error").integer("column") == 9)
    }

    @Test("find returns the best results of each kind and opens them")
    func find() throws {
        let bench = try Bench.withSample()
        let items = (1...20).map { #"{"id": "rio \#($0)", "title": "Rio \#($0)"}"# }.joined(separator: "\n")
        #expect(try bench.run("index", "put", "-", input: items).status == 0)
        let rows = try bench.run("find", "rio", "--json").found()
        #expect(try Set(rows.map { try $0.string("kind") }).isSuperset(of: ["contact", "airport", "item"]))
        #expect(try bench.run("find", "rio", "--kind", "item", "--json").found().count == 10)
        #expect(try bench.run("find", "rio", "--kind", "item", "--open", "3").output == "switchboard://item/rio%203\n")
        #expect(try bench.run("find", "rio", "--kind", "item", "--json").found().ids().first == "rio 3")
        let places = try (1...rows.count).map { try bench.run("find", "rio", "--open", "\($0)").output }
        #expect(places.allSatisfy { $0.hasPrefix("switchboard://") })
        #expect(try bench.run("find", "rio", "--open", "900").status == 1)
        #expect(try bench.run("find", "rio", "--open", "0").status == 64)
        // Changes of a contact are found at once.
        let person = try JSONObject(line: try bench.run("contacts", "add", "--name", "Rio 21", "--json").output).string(
            "id")
        #expect(try bench.run("find", "rio 21", "--json").found().ids().first == person)
        #expect(try bench.run("contacts", "remove", person).status == 0)
        #expect(try bench.run("find", "rio 21", "--json").found().ids().contains(person) == false)
    }

    @Test("Begins, finds, continues, ends and deletes activities")
    func activities() throws {
        #expect(try put(Self.shows).status == 0)
        #expect(try bench.run("activity", "current").status == 1)
        let text = #"""
            {"activityType": "com.example.watching", "title": "Dunes, episode 4", "userInfo": {"show": "dunes"},
             "requiredUserInfoKeys": ["show"], "persistentIdentifier": "w1",
             "contentAttributeSet": {"relatedUniqueIdentifier": "dunes"}}
            """#
        let begun = try JSONObject(line: try bench.run("activity", "begin", "-", "--json", input: text).output)
        #expect(try begun.string("id") == "w1" && begun.object("activity").boolean("isCurrent"))
        let current = try JSONObject(line: try bench.run("activity", "current", "--json").output)
        #expect(try current.string("id") == "w1")
        #expect(try bench.run("find", "episode", "--open", "1").output == "switchboard://item/dunes\n")
        let continued = try JSONObject(line: try bench.run("activity", "continue", "w1", "--json").output)
        try continued.check(["activity", "open"])
        #expect(try continued.object("activity").object("userInfo").string("show") == "dunes")
        #expect(try bench.run("activity", "continue", "nothing").status == 1)
        #expect(
            try bench.run("activity", "continue", "switchboard://item/harbour").output == "switchboard://item/harbour\n"
        )
        #expect(try bench.run("activity", "end").status == 0)
        #expect(try bench.run("activity", "end").status == 1)
        let broken = #"{"activityType": "a", "requiredUserInfoKeys": ["show"], "persistentIdentifier": "broken"}"#
        #expect(try bench.run("activity", "begin", "-", input: broken).status == 0)
        let refused = try bench.run("activity", "continue", "broken")
        #expect(refused.status == 65 && refused.errors.contains("show"))
        #expect(try bench.run("activity", "list", "--json").output.contains(#""kind": "activity""#))
        #expect(try bench.run("activity", "begin", "-", input: "{").status == 65)
        #expect(try bench.run("activity", "begin", bench.path("missing.json")).status == 66)
        #expect(try bench.run("activity", "delete", "w1", "nothing").status == 1)
        #expect(try bench.run("activity", "delete", "--all", "--json").output == #"{"ids": ["broken", "w1"]}"# + "\n")
    }

    @Test(
        "A killed put stores everything or complete batches, as the client state says",
        .timeLimit(.minutes(2)))
    func killed() throws {
        let lines = (1...40_000).map {
            #"{"id": "\#($0)", "title": "Item number \#($0)", "keywords": ["k\#($0 % 97)"]}"#
        }
        let file = try bench.file("items.jsonl", lines.joined(separator: "\n"))
        for delay in [30, 120, 260] {
            let whole = try ChildProcess(
                ["index", "put", file],
                environment: ["HOME": bench.folder, "SWITCHBOARD_DATABASE": bench.path("w.sqlite")],
                streams: [.path("/dev/null"), .path("/dev/null"), .path("/dev/null")])
            usleep(UInt32(delay) * 1_000)
            whole.send(SIGKILL)
            _ = whole.wait()
            let counted = try bench.run("index", "stats", "--json", "--database", bench.path("w.sqlite"))
            let count = try JSONObject(line: counted.output).integer("items")
            #expect(count == 0 || count == 40_000)

            let batches = try ChildProcess(
                ["index", "put", file, "--batch-size", "1000", "--client-state", "{n}"],
                environment: ["HOME": bench.folder, "SWITCHBOARD_DATABASE": bench.path("b.sqlite")],
                streams: [.path("/dev/null"), .path("/dev/null"), .path("/dev/null")])
            usleep(UInt32(delay) * 1_000)
            batches.send(SIGKILL)
            _ = batches.wait()
            let stats = try JSONObject(
                line: try bench.run("index", "stats", "--json", "--database", bench.path("b.sqlite")).output)
            // Each put starts at the first item, so the index contains complete batches.
            #expect(try stats.integer("items") % 1_000 == 0)
            if try stats.integer("items") > 0 {
                #expect(Int(try stats.string("clientState")).map { $0 % 1_000 == 0 } ?? false)
            }
        }
        #expect(try bench.run("database", "check", "--database", bench.path("b.sqlite")).status == 0)
    }
}

@Suite("Items from web pages")
struct IndexMarkupTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private static let page = """
        <!DOCTYPE html><html lang="en"><head><title>Dunes Cafe</title><link rel="canonical" href="https://cafe.example.org/">
        <script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
          {"@type": "CafeOrCoffeeShop", "@id": "https://cafe.example.org/", "name": "Dunes Café", "telephone": "+47 55 00 00 00",
           "address": {"@type": "PostalAddress", "streetAddress": "Torget 1", "addressLocality": "Bergen"}},
          {"@type": "Event", "name": "Jazz night", "startDate": "2026-12-01T20:00:00+01:00"}]}</script></head><body></body></html>
        """

    @Test("Adds the items of a page, which can be searched and queried")
    func page() throws {
        let file = try bench.file("page.html", Self.page)
        let result = try bench.run("index", "markup", file, "--json")
        #expect(result.status == 0, "\(result.errors)")
        let answer = try JSONObject(line: result.output)
        try answer.check(["indexed", "updated", "results", "notes"])
        #expect(try answer.integer("indexed") == 2)
        for row in try answer.objects("results") { try row.checkRow(isFound: false) }
        #expect(try answer.objects("results").ids().first == "https://cafe.example.org/")
        #expect(try bench.run("index", "search", "jazz", "--json").found().titles() == ["Jazz night"])
        #expect(
            try bench.run("index", "query", "city == 'Bergen' && supportsPhoneCall == true", "--json").found().titles()
                == ["Dunes Café"])
        #expect(try bench.run("index", "list", "--domain", "web.cafe.example.org", "--json").listed().count == 2)
    }

    @Test("Respects robots rules, stores nothing with --dry-run, and rejects bad pages")
    func refused() throws {
        let robots = try bench.file("robots.html", "<meta name=robots content=noindex><title>x</title>")
        let result = try bench.run("index", "markup", robots)
        #expect(result.status == 1 && result.errors.contains("robots"))
        let file = try bench.file("page.html", Self.page)
        #expect(try bench.run("index", "markup", file, "--dry-run").status == 0)
        #expect(try bench.run("index", "list", "--json").listed().isEmpty)
        #expect(try bench.run("index", "markup", bench.path("none.html")).status == 66)
        #expect(try bench.run("index", "markup", file, file, "--url", "https://example.org").status == 64)
        let large = try bench.file("large.html", Data(repeating: 0x61, count: 50 << 20))
        #expect(try bench.run("index", "markup", large).status == 65)
        // Nothing listens on this port.
        #expect(try bench.run("index", "markup", "http://127.0.0.1:9/page.html").status == 69)
    }
}
