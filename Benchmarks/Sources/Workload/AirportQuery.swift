import Foundation
public import SwitchboardAirports
public import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTextNormalization

/// A query for airports, with its target.
public struct AirportQuery: Sendable {
    /// The kinds of query, in the order of the tables.
    public enum Kind: String, Sendable, CaseIterable {
        /// Two to five letters of a name, of any airport, in any of its languages.
        case prefix = "prefix, any language"
        /// One letter.
        case letter = "one letter"
        /// The code of an airport.
        case code
        /// The whole name of a city with scheduled flights, with one typo.
        case typo = "whole name, one typo"
        /// The first half of such a name, at least five letters, with one typo.
        case unfinished = "half a name, one typo"
        /// Three to six digits of a city's name.
        case keypad = "by keypad"
        /// Nine letters that occur in no airport.
        case nothing
        /// The queries of the tests, written by hand.
        case written = "written by hand"

        /// `true` if the share of queries with the target in ten hits is measured.
        public var isMisspelt: Bool { self == .typo || self == .unfinished }
    }

    /// The kind of query.
    public var kind: Kind
    /// Digits, or text.
    public var text: String
    /// The city of the airport meant.
    public var city: String

    /// Creates a query; see the properties.
    public init(kind: Kind, text: String, city: String) {
        self.kind = kind
        self.text = text
        self.city = city
    }

    /// Returns `true` if one of the hits is the target city, or a city of the same name.
    public func isFound(in rows: [AirportHit]) -> Bool {
        rows.contains { $0.airport.city == city || $0.airports.contains { $0.city == city } }
    }
}

/// Generates queries for airports, the same in every run.
public struct AirportQueryMaker {
    private let airports: [Airport]
    private let scheduled: [Airport]
    private var random = SplitMix(seed: QuerySeed.current)

    /// Creates a generator for the airports of a catalogue.
    public init(_ catalogue: Catalogue) {
        airports = (0..<catalogue.count).compactMap { catalogue.airport(at: $0) }
        scheduled = airports.filter(\.isScheduled)
    }

    /// Returns at most `count` different queries of a kind.
    public mutating func queries(_ kind: AirportQuery.Kind, _ count: Int) throws -> [AirportQuery] {
        if kind == .written { return try written() }
        var seen: Set<String> = []
        var queries: [AirportQuery] = []
        for _ in 0..<(count * 20) where queries.count < count {
            guard let airport = (kind.isMisspelt ? scheduled : airports).randomElement(using: &random),
                let text = text(kind, airport), !text.isEmpty, seen.insert(text).inserted
            else { continue }
            queries.append(AirportQuery(kind: kind, text: text, city: airport.city))
        }
        return queries
    }

    private mutating func text(_ kind: AirportQuery.Kind, _ airport: Airport) -> String? {
        switch kind {
        case .prefix: return someName(of: airport).map { String($0.prefix(Int.random(in: 2...5, using: &random))) }
        case .letter: return someName(of: airport).map { String($0.prefix(1)) }
        case .code: return airport.code.lowercased()
        case .typo: return misspelled(airport.city.lowercased(), least: 5)
        case .unfinished:
            let half = airport.city.lowercased().prefix(max(5, (airport.city.count + 1) / 2))
            return half.count < airport.city.count ? misspelled(String(half), least: 5) : nil
        case .keypad:
            return String(
                digits(of: airport.city).filter { $0 != "0" && $0 != "1" }
                    .prefix(Int.random(in: 3...6, using: &random)))
        case .nothing:
            return String((0..<9).map { _ in "bcdfghjkqvwxz".randomElement(using: &random) ?? "q" })
        case .written: return nil
        }
    }

    private mutating func someName(of airport: Airport) -> String? {
        let names =
            [airport.name, airport.city] + airport.names.byLanguage.flatMap(\.names)
            + airport.cityNames.byLanguage.flatMap(\.names)
        return names.randomElement(using: &random)?.lowercased()
    }

    private mutating func misspelled(_ name: String, least: Int) -> String? {
        let letters = Array(name.utf16)
        guard letters.count >= least else { return nil }
        let keys = letters.filter { $0 != 0x20 }
        return Typo.applied(to: letters, keys: keys, using: &random).map { String(decoding: $0, as: UTF16.self) }
    }

    private func written() throws -> [AirportQuery] {
        let path = DataFolder.repository.appending(path: "Tests/Unit/AirportsTests/Resources/queries.tsv")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            return cells.count > 1 ? AirportQuery(kind: .written, text: String(cells[1]), city: "") : nil
        }
    }
}

extension AirportSearch {
    /// Returns the first ten hits, as a front end receives them.
    public func run(_ query: AirportQuery) throws -> SearchResults<AirportHit> {
        try search(SearchInput(query.text, keypad: query.kind == .keypad))
    }
}
