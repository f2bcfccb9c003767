package import Foundation
import SwitchboardAlgorithms
package import SwitchboardJSON

extension Date {
    /// The time in UTC in the basic format of vCard and iCalendar: `20261121T080000Z`.
    package var basicISO8601: String {
        formatted(ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    }
}

// MARK: - JSON of people

extension JSONMembers {
    /// Adds a time in ISO 8601, if known.
    package mutating func addTime(_ name: String, _ time: Date?) throws {
        if let time { try add(name, time.iso8601) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a string; a missing one is empty.
    package func text(_ key: Key) throws -> String { try decodeIfPresent(String.self, forKey: key) ?? "" }

    /// Decodes a list; a missing one is empty.
    package func list<Element: Decodable>(_ key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }

    /// Decodes a time in ISO 8601, if present.
    package func time(_ key: Key) throws -> Date? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let time = try? Date(text, strategy: .iso8601) { return time }
        throw DecodingError.dataCorruptedError(
            forKey: key, in: self, debugDescription: "cannot read the time “\(text)”; use ISO 8601")
    }
}
