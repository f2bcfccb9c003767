/// What a report asks of the bytes of cards (RFC 6352, section 10.4): a version of vCard, and some properties.
public struct CardDataRequest: Sendable, Hashable {
    /// The versions that can be asked for.
    public static let versions = ["3.0", "4.0"]

    /// The version; nil for the stored one.
    public let version: String?
    /// The names of the properties in upper case, and whether their values are left out; nil for all properties.
    private let properties: [String: Bool]?

    /// Reads `address-data`.
    ///
    /// - Throws: ``DAVError/unmetPrecondition(_:)`` for another type or version.
    init(_ element: DAVElement) throws(DAVError) {
        let type = element.attributes["content-type"]?.lowercased() ?? "text/vcard"
        version = element.attributes["version"]
        guard type == "text/vcard", version.map(CardDataRequest.versions.contains) ?? true else {
            throw .unmetPrecondition(.card("supported-address-data"))
        }
        let wanted = element.children.filter { $0.name == .card("prop") }.map { property in
            (property.attributes["name"]?.uppercased() ?? "", property.attributes["novalue"] == "yes")
        }
        properties = wanted.isEmpty ? nil : Dictionary(wanted) { first, _ in first }
    }

    /// Returns the lines of a card that are asked for, with its frame.
    ///
    /// - Complexity: O(*n*) in the bytes.
    public func lines(of card: [UInt8]) -> [UInt8] {
        guard let properties else { return card }
        var result: [UInt8] = []
        var (isKept, isWithoutValue) = (false, false)
        for line in card.split(separator: 0x0A, omittingEmptySubsequences: false) where !line.isEmpty {
            if line.first == 0x20 || line.first == 0x09 {
                // Continues the property.
                if isKept, !isWithoutValue { result += line + [0x0A] }
                continue
            }
            let head = line.prefix { $0 != 0x3A && $0 != 0x3B && $0 != 0x0D }
            let name = String(decoding: head, as: UTF8.self).split(separator: ".").last?.uppercased() ?? ""
            let isFrame = ["BEGIN", "VERSION", "END"].contains(name)
            isKept = isFrame || properties[name] != nil
            isWithoutValue = !isFrame && properties[name] == true
            guard isKept else { continue }
            result += isWithoutValue ? head + [0x3A, 0x0D, 0x0A] : line + [0x0A]
        }
        return result
    }
}

extension CardDataRequest {
    /// Returns the version of vCard that an Accept field demands (RFC 9110, section 12.5.1); nil if the stored one will
    /// do, or any.
    public static func version(acceptedBy field: String?, stored: String) -> String? {
        let ranges = (field ?? "").split(separator: ",").map { range in
            range.split(separator: ";").map { $0.trimming { $0.isWhitespace }.lowercased() }
        }
        let cards = ranges.filter { ["text/vcard", "text/*", "*/*"].contains($0.first) }
        var accepted: [String] = []
        for range in cards where !range.contains("q=0") {
            let version = range.first { $0.hasPrefix("version=") }?.dropFirst("version=".count).filter { $0 != "\"" }
            guard let version else { return nil }
            accepted.append(version)
        }
        return accepted.contains(stored) ? nil : accepted.first(where: versions.contains)
    }
}

extension StringProtocol {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> SubSequence {
        let start = self.drop(while: isTrimmed)
        return start[..<(start.lastIndex { !isTrimmed($0) }.map { start.index(after: $0) } ?? start.startIndex)]
    }
}
