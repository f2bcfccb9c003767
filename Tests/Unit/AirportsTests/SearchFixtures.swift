import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad

@testable import SwitchboardAirports

/// The search over the embedded catalogue, shared by all tests.
enum ShippedSearch {
    static let search: AirportSearch = {
        let search = AirportSearch(airports: Airports(storage: nil, location: .unavailable))
        try? search.warmUp()
        return search
    }()
}

/// A line of a query corpus: the query and its expected results.
struct CorpusQuery {
    let category: String
    let query: String
    let expected: Set<String>
    let maxRow: Int
    let language: String

    /// Reads a corpus from the resources; a malformed line throws.
    static func read(_ name: String) throws -> [CorpusQuery] {
        try Table.rows(name).map { cells in
            guard cells.count == 5, let row = Int(cells[3]) else { throw Table.Malformed(line: cells) }
            return CorpusQuery(
                category: cells[0], query: cells[1], expected: Set(cells[2].split(separator: "|").map(String.init)),
                maxRow: row, language: cells[4])
        }
    }

    /// Returns the number of the row, from 1, with one of the expected airports, alone or in its city's row.
    func row(in search: AirportSearch) throws -> Int? {
        let answer = try search.search(SearchInput(query), limit: 10, language: language)
        return answer.hits.firstIndex { hit in
            !expected.isDisjoint(with: [hit.airport.code, hit.airport.cityCode] + hit.airports.map(\.code))
        }.map { $0 + 1 }
    }
}

/// Tab-separated tables in the resources.
enum Table {
    struct Malformed: Error { let line: [String] }
    struct Missing: Error { let name: String }

    static func rows(_ name: String) throws -> [[String]] {
        guard let url = Bundle.module.url(forResource: name, withExtension: "tsv", subdirectory: "Resources") else {
            throw Missing(name: name)
        }
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

extension AirportHit {
    /// The title and the subtitle with highlights in brackets.
    var marked: String {
        func mark(_ text: String, _ ranges: [Range<Int>]) -> String {
            var result = ""
            for (position, scalar) in text.unicodeScalars.enumerated() {
                for range in ranges {
                    if range.upperBound == position { result += "]" }
                    if range.lowerBound == position { result += "[" }
                }
                result.unicodeScalars.append(scalar)
            }
            return ranges.last?.upperBound == text.unicodeScalars.count ? result + "]" : result
        }
        return mark(title, highlights["title"] ?? []) + " | " + mark(subtitle, highlights["subtitle"] ?? [])
    }
}
