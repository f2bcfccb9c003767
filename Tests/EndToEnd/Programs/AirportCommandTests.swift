import Foundation
import Testing

@Suite("airports")
struct AirportCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    @Test("nearest accepts southern latitudes and sorts by relevance or distance")
    func nearest() throws {
        let south = try bench.run("airports", "nearest", "-33.9,18.4", "--json")
        #expect(south.status == 0, "\(south.errors)")
        #expect(try south.json().string("query") == "-33.9,18.4")
        let rows = try south.found()
        #expect(try rows.first?.string("id") == "CPT")
        #expect(try rows.allSatisfy { try $0.string("match") == "nearby" })
        #expect(try bench.run("--json", "airports", "nearest", "-.5,-78.5").found().ids().contains("UIO"))
        let far = try bench.run("airports", "nearest", "59.93,30.33", "--sort", "distance", "--json", "--limit", "0")
        let distances = try far.found().map { try $0.object("airport").number("distance") }
        #expect(distances == distances.sorted())
        #expect(distances.allSatisfy { $0 <= 500 })
        let near = try bench.run("airports", "nearest", "59.93,30.33", "--radius", "30", "--json").found()
        #expect(try near.ids() == ["LED"])
        #expect(try bench.run("airports", "nearest", "59.93,30.33").output.contains(" km"))
        #expect(try bench.run("airports", "nearest", "0,-140", "--radius", "10").status == 1)
    }

    @Test(
        "Rejects invalid coordinates with one line",
        arguments: ["91,0", "-91,0", "x", ""])
    func badPlaces(place: String) throws {
        let result = try bench.run("airports", "nearest", place)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errorLines.count == 1)
        #expect(try bench.run("airports", "here", place).status == 64)
    }

    @Test("A search for coordinates finds the airports near them", arguments: ["59.93,30.33", "59.93 30.33"])
    func coordinates(text: String) throws {
        let found = try bench.run("airports", "search", text, "--json").json().objects("results")
        let nearest = try bench.run("airports", "nearest", text, "--json").json().objects("results")
        #expect(try found.map { try $0.string("id") } == nearest.map { try $0.string("id") })
        #expect(try found[0].string("id") == "LED")
        #expect(try bench.run("airports", "search", "99.93,30.33").status == 1)
    }

    @Test("nearest rejects invalid arguments")
    func badNearest() throws {
        #expect(try bench.run("airports", "nearest").status == 64)
        #expect(try bench.run("airports", "nearest", "0,0", "--radius", "-1").status == 64)
        #expect(try bench.run("airports", "nearest", "0,0", "--sort", "price").status == 64)
        #expect(try bench.run("airports", "nearest", "0,0", "--here").status == 64)
        #expect(try bench.run("airports", "nearest", "0,0", "--limit", "-3").status == 64)
        #expect(try bench.run("airports", "nearest", "0,0", "--fast").status == 64)
    }

    @Test("--here needs access to the location and uses the configured one")
    func here() throws {
        let refused = try bench.run("airports", "nearest", "--here")
        #expect(refused.status == 77)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("access grant location"))
        let place = try bench.run("airports", "here", "-33.9249,18.4241", "--json").json()
        try place.check(["latitude", "longitude"])
        #expect(abs(try place.number("latitude") + 33.9249) < 0.02)
        #expect(try bench.run("access", "grant", "location").status == 0)
        #expect(try bench.run("airports", "nearest", "--here", "--json").found().ids().first == "CPT")
        #expect(try bench.run("access", "deny", "location").status == 0)
        let denied = try bench.run("airports", "nearest", "--here", "--json")
        #expect(denied.status == 77)
        #expect(try JSONObject(line: denied.errors).errorCode() == "accessNotGranted")
        let forgotten = try bench.run("airports", "here", "--forget", "--json").json()
        #expect(forgotten.isNull("latitude"))
        #expect(try bench.run("airports", "here").status == 1)
    }

    @Test("A name or code stands for its place, and here shows the location with the nearest airport")
    func names() throws {
        for place in ["Saint Petersburg", "led", "pulkovo"] {
            let near = try bench.run("airports", "nearest", place, "--radius", "30", "--json").found()
            #expect(try near.ids() == ["LED"], "\(place)")
        }
        #expect(try bench.run("airports", "nearest", "Petersbrug").status == 64)
        #expect(try bench.run("access", "grant", "location").status == 0)
        let set = try bench.run("airports", "here", "Cape Town")
        #expect(set.errors == "the nearest airport is Cape Town\n")
        let shown = try bench.run("airports", "here")
        #expect(shown.output == set.output && shown.output.hasPrefix("-33.9") && shown.errors == set.errors)
        #expect(try bench.run("airports", "here", "--json").json().number("longitude") > 18)
    }

    @Test("choose prints the airport, and recent accepts a limit")
    func recent() throws {
        #expect(try bench.run("airports", "recent", "--json").json().listRows().isEmpty)
        for code in ["lhr", "FRA"] {
            let result = try bench.run("airports", "choose", code, "--json")
            #expect(result.status == 0, "\(result.errors)")
            let answer = try result.json()
            try answer.check(["id", "airport"])
            try answer.object("airport").checkAirport()
        }
        #expect(try bench.run("airports", "recent", "--json").json().listRows().ids() == ["FRA", "LHR"])
        #expect(try bench.run("airports", "recent", "--json", "--limit", "1").json().listRows().ids() == ["FRA"])
    }

    @Test("An unknown code exits with 1 and changes nothing")
    func unknownCode() throws {
        for command in ["show", "choose"] {
            let result = try bench.run("airports", command, "QQQ")
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("QQQ"))
            let json = try bench.run("airports", command, "QQQ", "--json")
            #expect(json.output.isEmpty)
            #expect(try JSONObject(line: json.errors).errorCode() == "unknownCode")
        }
        #expect(try bench.run("airports", "recent", "--json").json().listRows().isEmpty)
    }

    @Test("show prints an airport, or a city with its airports")
    func show() throws {
        let airport = try bench.run("airports", "show", "lhr", "--json").json()
        try airport.checkRow(isFound: false)
        #expect(try airport.object("airport").string("icao") == "EGLL")
        let city = try bench.run("airports", "show", "LON", "--json").json()
        try city.checkRow(isFound: false)
        #expect(try city.objects("airports").count > 3)
        let russian = try bench.run("airports", "show", "LHR", "--language", "ru")
        #expect(russian.output.contains("Лондон"))
        #expect(
            try bench.run(["airports", "show", "LHR"], environment: ["LANG": "ru_RU.UTF-8"]).output == russian.output)
    }

    @Test("popular lists airports by use, and a snapshot preserves the list")
    func snapshot() throws {
        let popular = try bench.run("airports", "popular", "--json").json().listRows()
        #expect(popular.count >= 1_000)
        let popularity = try popular.map { try $0.object("airport").number("popularity") }
        #expect(popularity == popularity.sorted(by: >))
        #expect(try bench.run("airports", "popular", "--json", "--limit", "3").json().listRows().count == 3)

        let file = bench.path("popular.gz")
        let written = try bench.run("airports", "snapshot", "--output", file, "--json").json()
        try written.check(["file", "airports"])
        #expect(try written.integer("airports") == popular.count)
        let updated = try bench.run("airports", "update", "--from", file, "--json").json()
        try updated.check(["airports"])
        #expect(try updated.integer("airports") == popular.count)
        #expect(try bench.run("airports", "popular", "--json").json().listRows().ids() == popular.ids())
        #expect(try bench.otherFiles() == ["popular.gz"])
    }

    @Test("A corrupt snapshot changes nothing")
    func brokenSnapshots() throws {
        let file = bench.path("popular.gz")
        #expect(try bench.run("airports", "snapshot", "--output", file).status == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let before = try bench.run("airports", "popular", "--json").output
        for (name, data) in [
            ("torn.gz", whole.prefix(whole.count / 2)), ("more.gz", whole + [0]), ("text.gz", Data("hello".utf8)),
            ("empty.gz", Data()),
        ] {
            let path = try bench.file(name, data)
            let result = try bench.run("airports", "update", "--from", path)
            #expect(result.status == 65, "\(name)")
            #expect(result.errors.contains(path))
            #expect(result.errorLines.count == 1)
        }
        #expect(try bench.run("airports", "popular", "--json").output == before)
        #expect(try bench.run("airports", "update", "--from", bench.path("none.gz")).status == 66)
        #expect(try bench.run("airports", "update", "--from", bench.folder).status == 74)
        #expect(try bench.run("airports", "update").status == 69)
        #expect(try bench.run("airports", "snapshot", "--output", bench.path("no/such/folder.gz")).status == 74)
    }
}
