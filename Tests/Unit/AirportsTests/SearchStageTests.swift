import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import Testing

@testable import SwitchboardAirports

@Suite("Stages of an airport search")
struct SearchStageTests {
    private let search = ShippedSearch.search

    @Test("Stage 1 finds popular names that begin with the query")
    func firstStage() throws {
        let answer = try search.search("amst")
        #expect(answer.hits.first?.airport.code == "AMS")
        #expect(answer.hits.first?.stage == 1)
        #expect(answer.hits.first?.match == .prefix)
        #expect(answer.isFinal)
    }

    @Test("A stream has the results of stage 1, then all; its rows are told apart by their airports")
    func stream() async throws {
        var answers: [SearchResults<AirportHit>] = []
        for try await answer in search.results(for: "amst") { answers.append(answer) }
        let whole = try await search.search("amst")
        #expect(answers.map(\.hits).last == whole.hits)
        #expect(answers.first?.hits.allSatisfy { $0.stage == 1 } == true)
        #expect(Set(whole.hits.map(\.id)).count == whole.hits.count)
        // A misspelling has no results in stage 1.
        var misspelt: [[Int]] = []
        for try await answer in search.results(for: "frankfrut") { misspelt.append(answer.hits.map(\.stage)) }
        #expect(misspelt.count == 1 && misspelt.first?.first == 2)
        await #expect(throws: AirportsError.self) {
            for try await _ in search.results(for: "a", limit: -1) {}
        }
    }

    @Test("Stage 2 finds misspelt names only if stage 1 finds nothing")
    func secondStage() throws {
        let misspelt = try search.search("frankfrut")
        #expect(misspelt.hits.first?.stage == 2)
        #expect(misspelt.hits.first?.match == .typo)
        #expect(misspelt.hits.first?.airport.cityCode == "FRA")
        #expect(try search.search("paris", stage: 2).hits.isEmpty)
        #expect(try search.search("frankfrut", stage: 1).hits.isEmpty)
        #expect(try !search.search("frankfrut", stage: 2).hits.isEmpty)
    }

    @Test("Stage 3 appends the whole catalogue for three letters or more")
    func thirdStage() throws {
        let answer = try search.search("nazran")
        #expect(answer.hits.first?.airport.code == "KZN")
        #expect(answer.hits.first?.stage == 2)
        let other = answer.hits.first { $0.stage == 3 }
        #expect(other?.airport.code == "IGT")
        #expect(try search.search("ib", stage: 3).hits.isEmpty)
    }

    @Test(
        "Rows of later stages follow those of earlier ones, except a whole name, which comes first",
        arguments: [
            "nazran", "san", "springfield", "mel", "portland", "king", "aberdeen", "santa", "nor", "lake", "kzan",
        ])
    func order(of query: String) throws {
        let hits = try search.search(SearchInput(query), limit: 0).hits
        let stages = hits.filter { $0.match != .exact && $0.match != .nearby }.map(\.stage)
        #expect(stages == stages.sorted(), "\(hits.map { ($0.airport.code, $0.stage, $0.match) })")
        #expect(!hits.isEmpty)
    }

    @Test(
        "An airport is in the results once, alone or in its city's row",
        arguments: ["london", "lon", "new", "san", "par"])
    func once(_ query: String) throws {
        let hits = try search.search(SearchInput(query), limit: 0).hits
        let rows = hits.map { $0.airport.isCity ? "\($0.airport.code) city" : $0.airport.code }
        #expect(Set(rows).count == rows.count)
        for (position, hit) in hits.enumerated() where hit.airport.isCity {
            let later = Set(hits[(position + 1)...].map(\.airport.code))
            #expect(later.isDisjoint(with: hit.airports.map(\.code).filter { $0 != hit.airport.code }))
        }
    }

    @Test("Results are final unless an omitted later stage could add rows")
    func finality() throws {
        #expect(try search.search("paris").isFinal)
        #expect(try !search.search("paris", stage: 1).isFinal)
        #expect(try !search.search("paris", stage: 2).isFinal)
        #expect(try search.search("paris", stage: 3).isFinal)
        #expect(try search.search("pa", stage: 1).isFinal)
        #expect(try search.search("pa").isFinal)
        #expect(try !search.search("qqzx", stage: 1).isFinal)
    }

    @Test("Stage 3 alone includes popular airports")
    func wholeCatalogue() throws {
        let answer = try search.search("heathrow", stage: 3)
        #expect(answer.hits.first?.airport.code == "LHR")
        #expect(answer.hits.allSatisfy { $0.stage == 3 })
    }

    @Test("The limit is respected, 0 is all, and negative limits are rejected")
    func limits() throws {
        #expect(try search.search("s", limit: 3).hits.count == 3)
        #expect(try search.search("san", limit: 0).hits.count > 30)
        #expect(throws: AirportsError.negativeLimit(-1)) { try search.search("s", limit: -1) }
        #expect(throws: AirportsError.negativeLimit(-1)) { try search.search("", limit: -1) }
    }

    @Test("A smaller limit returns a prefix of the rows", arguments: ["s", "new", "par", "santa", "lon"])
    func limitIsABeginning(_ query: String) throws {
        let ten = try search.search(SearchInput(query), limit: 10).hits.map(\.airport.code)
        for limit in [1, 3, 7] {
            #expect(
                try search.search(SearchInput(query), limit: limit).hits.map(\.airport.code) == Array(ten.prefix(limit))
            )
        }
    }

    @Test("A cancelled search throws")
    func cancellation() {
        #expect(throws: CancellationError.self) { try search.search("london", isCancelled: { true }) }
    }

    @Test("The asynchronous search returns the same rows, and throws when its task is cancelled")
    func asynchronous() async throws {
        let rows = try await search.search("frankfrut").hits.map(\.airport.code)
        #expect(try search.search("frankfrut", isCancelled: nil).hits.map(\.airport.code) == rows)
        let task = Task { [search] in
            while !Task.isCancelled { await Task.yield() }
            return try await search.search("london")
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "Any text can be searched",
        arguments: [
            "!", "  ", "·", "\u{0}", "\u{301}", "a\u{301}", "'", "- -", "((", "🛫", "١٢", "ｌｏｎ", "x".repeated(5000),
            "a ".repeated(500), "ß", "İ", "京".repeated(100), "\u{202E}abc", "123", "لا", "rb]d", ";;;;",
        ])
    func anyText(_ text: String) throws {
        for language in ["en", "ru", "", "xx-YY", "pt_BR.UTF-8"] {
            for stage in [nil, 0, 1, 2, 3, 4] {
                _ = try search.search(SearchInput(text), stage: stage, language: language)
            }
        }
    }

    @Test("White space is an empty query; punctuation finds nothing")
    func emptiness() throws {
        #expect(try search.search("").hits.map(\.airport.code) == search.search("  ").hits.map(\.airport.code))
        #expect(try search.search("").hits.count == 10)
        #expect(try search.search("!").hits.isEmpty)
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
