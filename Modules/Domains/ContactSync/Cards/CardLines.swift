import SwitchboardContacts
import SwitchboardVCard

/// The content lines of a card file, each property with its exact bytes.
///
/// An edit replaces the lines of a property; all other bytes of the file stay.
struct CardLines {
    /// A range of bytes: a property with its continuation lines, or the bytes between two properties.
    struct Segment {
        var bytes: ArraySlice<UInt8>
        /// The property, or nil for bytes between properties.
        var property: VCardProperty?
        /// The property in canonical form; empty if the reader ignores it.
        var canonical: [CanonicalProperty] = []
    }

    private(set) var segments: [Segment] = []
    let lineEnding: [UInt8]

    /// Splits a file; nil if its lines cannot be mapped to the parsed properties (UTF-16, a card within a card).
    init?(_ file: CardFile) {
        let bytes = file.bytes
        let starts = CardLines.lineStarts(of: bytes)
        lineEnding = CardLines.firstLineEnding(of: bytes)
        let properties = file.card.properties.sorted { $0.line < $1.line }
        var next = 0
        for (index, property) in properties.enumerated() {
            let first = property.line - 1
            // Two properties on one line cannot be separated.
            guard first >= next, first < starts.count else { return nil }
            let bound = index + 1 < properties.count ? properties[index + 1].line - 1 : starts.count
            guard bound > first, bound <= starts.count else { return nil }
            var last = first + 1
            while last < bound,
                !CardLines.isFrame(bytes[starts[last]..<CardLines.offset(ofLine: last + 1, starts, bytes)])
            {
                last += 1
            }
            append(bytes[CardLines.offset(ofLine: next, starts, bytes)..<starts[first]])
            let own = bytes[starts[first]..<CardLines.offset(ofLine: last, starts, bytes)]
            // Guards against a wrong line number.
            guard CardLines.begins(own, with: property) else { return nil }
            segments.append(Segment(bytes: own, property: property))
            next = last
        }
        append(bytes[CardLines.offset(ofLine: next, starts, bytes)...])
        guard let last = segments.last, last.property == nil, CardLines.endOffset(last.bytes) != nil else { return nil }
    }

    private mutating func append(_ rest: ArraySlice<UInt8>) {
        if !rest.isEmpty { segments.append(Segment(bytes: rest, property: nil)) }
    }

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts: [Int] = bytes.isEmpty ? [] : [0]
        for (index, byte) in bytes.enumerated() {
            let isEnd = byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A))
            if isEnd, index + 1 < bytes.count { starts.append(index + 1) }
        }
        return starts
    }

    private static func firstLineEnding(of bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0D, 0x0A] }
        if bytes[end] == 0x0A { return [0x0A] }
        return end + 1 < bytes.count && bytes[end + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }

    private static func offset(ofLine line: Int, _ starts: [Int], _ bytes: [UInt8]) -> Int {
        line < starts.count ? starts[line] : bytes.count
    }

    /// Returns `true` for a line that ends a property: an empty one, VERSION, END, BEGIN or AGENT.
    private static func isFrame(_ line: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: line.prefix(32), as: UTF8.self).uppercased()
        return text.trimmingWhitespace.isEmpty
            || ["VERSION", "END:", "BEGIN:", "AGENT"].contains(where: text.hasPrefix)
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, with property: VCardProperty) -> Bool {
        var start = bytes
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        let head = String(
            decoding: start.prefix(property.group.utf8.count + property.name.utf8.count + 8), as: UTF8.self)
        return head.uppercased().contains(property.name.prefix(16))
    }

    /// Returns the offset of END:VCARD in the last bytes of a file.
    static func endOffset(_ bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
            if isEnd(bytes[start..<index]) { return start }
            start = index + 1
        }
        return isEnd(bytes[start...]) ? start : nil
    }

    private static func isEnd(_ line: ArraySlice<UInt8>) -> Bool {
        line.count < 64
            && String(decoding: line, as: UTF8.self).uppercased().filter { $0 != " " }.hasPrefix("END:VCARD")
    }
}

// MARK: - Canonical form

extension CardLines {
    /// Parses each property on its own to find the canonical properties that it yields.
    mutating func readCanonicalProperties(region: String?) throws {
        var reader = try VCardReader(ByteStream(Array("BEGIN:VCARD\r\nFN:x\r\nEND:VCARD\r\n".utf8)))
        guard let emptyCard = try reader.next() else { return }
        let labels = segments.compactMap(\.property).filter { $0.name == "X-ABLABEL" && !$0.group.isEmpty }
        for index in segments.indices {
            guard let property = segments[index].property, property.name != "UID", property.name != "REV" else {
                continue
            }
            var card = emptyCard
            card.properties = property.name == "FN" ? [property] : card.properties + [property]
            card.properties += labels.filter { $0.group.lowercased() == property.group.lowercased() }
            guard let contact = try? Contact(card, region: region) else { continue }
            let isName = ["FN", "N"].contains(property.name)
            segments[index].canonical = CanonicalCard(contact).properties.filter { canonical in
                isName ? canonical.name == property.name : !["FN", "N"].contains(canonical.name)
            }
        }
    }
}
