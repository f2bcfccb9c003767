import SwitchboardContacts
import SwitchboardVCard

/// The lines of a file with one card, each property with the bytes that it stands in.
///
/// Whoever changes a card takes the lines of a property out and puts others in; all else stays byte for byte.
struct CardLines {
    /// Some bytes of the file: a property with all its continuations, or what stands between properties.
    struct Piece {
        let bytes: ArraySlice<UInt8>
        /// The property, if the piece is one.
        let property: VCardProperty?
        /// What the property says, as this book would write it; empty for what it takes no notice of.
        var statements: [CardStatement] = []
    }

    private(set) var pieces: [Piece] = []
    /// What ends the lines of the file.
    let lineEnd: [UInt8]

    /// Takes a file apart; nil where its lines cannot be told apart as the reader has told them (UTF-16, a card inside a card).
    init?(_ file: CardFile) {
        let bytes = file.bytes
        let starts = CardLines.starts(of: bytes)
        lineEnd = CardLines.firstLineEnd(of: bytes)
        let properties = file.card.properties.sorted { $0.line < $1.line }
        var next = 0
        for (index, property) in properties.enumerated() {
            let first = property.line - 1
            // Two properties do not begin in one line.
            guard first >= next, first < starts.count else { return nil }
            let bound = index + 1 < properties.count ? properties[index + 1].line - 1 : starts.count
            guard bound > first, bound <= starts.count else { return nil }
            var last = first + 1
            while last < bound, !CardLines.isFrame(bytes[starts[last]..<CardLines.end(last, starts, bytes)]) {
                last += 1
            }
            append(bytes[CardLines.place(next, starts, bytes)..<starts[first]])
            let own = bytes[starts[first]..<CardLines.place(last, starts, bytes)]
            // What is there must be what was read.
            guard CardLines.begins(own, with: property) else { return nil }
            pieces.append(Piece(bytes: own, property: property))
            next = last
        }
        append(bytes[CardLines.place(next, starts, bytes)...])
        guard let last = pieces.last, last.property == nil, CardLines.endOffset(last.bytes) != nil else { return nil }
    }

    private mutating func append(_ rest: ArraySlice<UInt8>) {
        if !rest.isEmpty { pieces.append(Piece(bytes: rest, property: nil)) }
    }

    /// Where each line begins.
    private static func starts(of bytes: [UInt8]) -> [Int] {
        var starts: [Int] = bytes.isEmpty ? [] : [0]
        for (index, byte) in bytes.enumerated() {
            let isEnd = byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A))
            if isEnd, index + 1 < bytes.count { starts.append(index + 1) }
        }
        return starts
    }

    private static func firstLineEnd(of bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0D, 0x0A] }
        if bytes[end] == 0x0A { return [0x0A] }
        return end + 1 < bytes.count && bytes[end + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }

    private static func place(_ line: Int, _ starts: [Int], _ bytes: [UInt8]) -> Int {
        line < starts.count ? starts[line] : bytes.count
    }

    private static func end(_ line: Int, _ starts: [Int], _ bytes: [UInt8]) -> Int { place(line + 1, starts, bytes) }

    /// Whether a line is none of a property, though it follows one: an empty one, VERSION, END.
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

    /// Where END:VCARD begins in the last bytes of a file.
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

// MARK: - What the properties say

extension CardLines {
    /// Reads each property alone, to know which of the contact's facts it stands for.
    mutating func readStatements(region: String?) throws {
        var reader = try VCardReader(ByteStream(Array("BEGIN:VCARD\r\nFN:x\r\nEND:VCARD\r\n".utf8)))
        guard let nobody = try reader.next() else { return }
        let labels = pieces.compactMap(\.property).filter { $0.name == "X-ABLABEL" && !$0.group.isEmpty }
        for index in pieces.indices {
            guard let property = pieces[index].property, property.name != "UID", property.name != "REV" else {
                continue
            }
            var card = nobody
            card.properties = property.name == "FN" ? [property] : card.properties + [property]
            card.properties += labels.filter { $0.group.lowercased() == property.group.lowercased() }
            guard let contact = try? Contact(card, region: region) else { continue }
            let isName = ["FN", "N"].contains(property.name)
            pieces[index].statements = CardStatements(contact).all.filter { statement in
                isName ? statement.name == property.name : !["FN", "N"].contains(statement.name)
            }
        }
    }
}
