import Foundation
import SwitchboardAirports
import SwitchboardSearchEngine

/// Decodes and validates the airport rows of a server's response.
///
/// Unknown keys are ignored. Highlights that do not fit their text are dropped.
enum RemoteRows {
    struct Malformed: Error {
        let reason: String
    }

    /// The maximum length of a title or subtitle, in bytes of UTF-8.
    private static let maxTextLength = 1_000

    static func read(_ json: [UInt8]) throws(Malformed) -> [SearchResult] {
        let rows: [Row]
        do {
            rows = try JSONDecoder().decode(Answer.self, from: Data(json)).results
        } catch let error as DecodingError {
            throw Malformed(reason: reason(error))
        } catch {
            throw Malformed(reason: "not JSON")
        }
        var results: [SearchResult] = []
        results.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            if let failure = row.validationFailure { throw Malformed(reason: "row \(index + 1): \(failure)") }
            guard let airport = row.airport else { throw Malformed(reason: "row \(index + 1): no airport") }
            results.append(row.result(airport))
        }
        return results
    }

    private struct Answer: Decodable {
        let results: [Row]
    }

    private struct Row: Decodable {
        let kind: String
        let id: String
        let title: String
        let subtitle: String
        let match: ResultMatch?
        let highlights: [String: [[Int]]]?
        let airport: Airport?
        let airports: [Airport]?

        /// The reason why the row is invalid; nil if it is valid.
        var validationFailure: String? {
            guard kind == ResultKind.airport.rawValue else { return "its kind is “\(kind.prefix(20))”" }
            guard let airport else { return "airport: missing" }
            guard id == airport.code else { return "id and code differ" }
            for (key, text) in [("title", title), ("subtitle", subtitle)] {
                if text.utf8.count > maxTextLength { return "\(key) is longer than \(maxTextLength) bytes" }
                if !hasNoControlCharacters(text) { return "\(key) contains control characters" }
            }
            if title.allSatisfy(\.isWhitespace) { return "title is empty" }
            return airport.validationFailure ?? airports?.lazy.compactMap(\.validationFailure).first
        }

        func result(_ airport: Airport) -> SearchResult {
            SearchResult(
                id: id, title: title, subtitle: subtitle, match: match, stage: 3, highlights: ranges(airport),
                object: .airport(
                    airport.withRoundDistance, airports: airport.isCity ? (airports ?? []).map(\.withRoundDistance) : []
                ))
        }

        private func ranges(_ airport: Airport) -> [String: [Range<Int>]] {
            let texts = ["title": title, "subtitle": subtitle, "code": airport.code]
            var ranges: [String: [Range<Int>]] = [:]
            for (field, pairs) in highlights ?? [:] {
                guard let text = texts[field], let read = Self.ranges(pairs, upTo: text.unicodeScalars.count) else {
                    continue
                }
                ranges[field] = read
            }
            return ranges
        }

        /// Returns the ranges if they are sorted, disjoint and within the text, else nil.
        private static func ranges(_ pairs: [[Int]], upTo length: Int) -> [Range<Int>]? {
            var ranges: [Range<Int>] = []
            var end = 0
            for pair in pairs {
                guard pair.count == 2, pair[0] >= end, pair[0] < length, pair[1] > 0, pair[1] <= length - pair[0]
                else { return nil }
                end = pair[0] + pair[1]
                ranges.append(pair[0]..<end)
            }
            return ranges
        }
    }

    private static func hasNoControlCharacters(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    private static func reason(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map { "row \($0 + 1)" } ?? String($0.stringValue.prefix(40)) }.joined(
                separator: ", ")
        }
        switch error {
        case .keyNotFound(let key, let context): return place(context.codingPath + [key]) + ": missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.codingPath.isEmpty ? "not an object" : place(context.codingPath) + ": wrong type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : place(context.codingPath) + ": unreadable"
        @unknown default: return "not JSON"
        }
    }
}
