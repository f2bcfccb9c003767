import Foundation
import SwitchboardAlgorithms
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardVCard

/// One property of a card in canonical form: the content lines that this book would write for it.
///
/// Two cards that state the same fact in different notations have equal canonical properties. Cards are compared and
/// merged property by property.
struct CanonicalProperty: Hashable, Sendable {
    /// The property name in capitals, such as "TEL".
    let name: String
    /// The unfolded content lines in version 3.0: one, or two for a custom label.
    let lines: [String]

    /// The first line before the value: group, name and parameters.
    var head: Substring { CanonicalProperty.split(lines.first ?? "").head }
    /// The escaped value of the first line.
    var value: Substring { CanonicalProperty.split(lines.first ?? "").value }

    /// A 64-bit FNV-1a hash of the lines, equal in every process.
    var fingerprint: UInt64 {
        var hash = StableHash()
        for line in lines {
            hash.add(line.utf8)
            hash.add([0])
        }
        return hash.value
    }

    /// Splits a content line at the first colon outside quotation marks.
    static func split(_ line: String) -> (head: Substring, value: Substring) {
        var isQuoted = false
        for index in line.utf8.indices {
            switch line.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return (line[..<index], line[line.utf8.index(after: index)...])
            default: break
            }
        }
        return (line[...], "")
    }
}

/// The canonical properties of a contact's card, without the identifier and the modification time.
struct CanonicalCard: Equatable, Sendable {
    private(set) var properties: [CanonicalProperty]

    /// Creates the card of a contact in a version. The properties of both versions are in the same order.
    init(_ contact: Contact, version: VCardWriter.Version = .version3) {
        var contact = contact.withoutVendorData
        (contact.id, contact.sourceUID, contact.modifiedAt) = ("", "", nil)
        let unfolded = VCardWriter(version: version).card(of: contact).components(splitBy: "\r\n ").joined()
        var lines = unfolded.components(splitBy: "\r\n")[...]
        properties = []
        while let line = lines.popFirst() {
            let isFrame = ["BEGIN:", "VERSION:", "END:"].contains(where: line.hasPrefix)
            if line.isEmpty || isFrame { continue }
            var property = [line]
            if line.hasPrefix(CanonicalCard.group), let label = lines.first, label.contains(".X-ABLabel:") {
                property.append(label)
                lines.removeFirst()
            }
            properties.append(CanonicalProperty(lines: property))
        }
    }

    init(_ properties: [CanonicalProperty]) { self.properties = properties }

    /// The group name of properties with a custom label.
    static let group = "switchboard"

    func properties(named name: String) -> [CanonicalProperty] { properties.filter { $0.name == name } }

    /// Returns the property names of this card, then the names that only the other card has, without duplicates.
    func names(with other: CanonicalCard) -> [String] {
        (properties + other.properties).map(\.name).uniqued
    }

    /// The fingerprints of the properties, eight bytes each in little-endian order.
    var fingerprints: Data {
        var bytes: [UInt8] = []
        for property in properties { bytes.append(littleEndian: property.fingerprint) }
        return Data(bytes)
    }

    static func fingerprints(in data: Data) -> Set<UInt64> {
        var numbers: Set<UInt64> = []
        var position = data.startIndex
        while let number = data.littleEndian(at: &position) { numbers.insert(number) }
        return numbers
    }
}

extension CanonicalProperty {
    /// Creates a property from its lines, without the number of their group.
    fileprivate init(lines: [String]) {
        self.lines = lines.map { line in
            guard line.hasPrefix(CanonicalCard.group), let dot = line.firstIndex(of: ".") else { return line }
            return CanonicalCard.group + line[dot...]
        }
        let head = CanonicalProperty.split(self.lines.first ?? "").head
        let withoutGroup = head.split(separator: ";").first.map { $0.split(separator: ".").last ?? $0 } ?? ""
        name = withoutGroup.uppercased()
    }
}

// MARK: - Card files

/// A file with a single card, and the contact that the card describes.
struct CardFile: Sendable {
    let bytes: [UInt8]
    let card: VCard
    /// The contact of the card, without an identifier of the book.
    let contact: Contact
    /// Notes about what is not in the contact as it stands in the card.
    let notes: [MalformedInput]

    /// Parses a file.
    ///
    /// - Throws: ``MalformedInput``, including for a file that does not have exactly one card.
    init(_ bytes: [UInt8], region: String?) throws {
        self.bytes = bytes
        card = try VCard(onlyOneIn: bytes)
        let whole = try Contact(card, region: region)
        contact = whole.deduplicated
        let assumed = card.firstAssumedLine.map {
            MalformedInput(line: $0, reason: "not UTF-8 and without a declared character set; read as Windows-1252")
        }
        notes = whole.notes(on: card, keptAs: contact) + [assumed].compactMap(\.self)
    }

    /// The card's UID as written in the file; empty without one.
    var identifier: String {
        card.properties.first { $0.name == "UID" }?.text.trimmingWhitespace ?? ""
    }

    var canonical: CanonicalCard { CanonicalCard(contact) }
}

extension Contact {
    func card(_ version: VCardWriter.Version, identifier: String) -> [UInt8] {
        var contact = self
        contact.sourceUID = identifier
        return Array(VCardWriter(version: version).card(of: contact).utf8)
    }

    /// Returns the contact that a canonical card describes, with the identifiers, times and calls of this contact.
    ///
    /// - Throws: ``MalformedInput`` if the card has no name.
    func replacingFacts(with canonical: CanonicalCard, region: String?) throws -> Contact {
        var lines = VCardLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:3.0")
        for (number, property) in canonical.properties.enumerated() {
            // A separate group ties each label to its property.
            for line in property.lines {
                let group = CanonicalCard.group + "."
                lines.add(line.hasPrefix(group) ? "group\(number)." + line.dropFirst(group.count) : line)
            }
        }
        lines.add("END:VCARD")
        var reader = try VCardReader(ByteStream(Array(lines.text.utf8)))
        guard let card = try reader.next() else { return self }
        var contact = try Contact(card, region: region).deduplicated.continuing(self)
        contact.sourceUID = sourceUID
        return contact
    }
}
