/// Reads the cards of a vCard stream one by one: versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), also mixed.
///
/// Any line ends, a byte order mark, UTF-16, lines folded anywhere (also inside a character), quoted-printable with soft
/// breaks, `CHARSET=` and groups are undone. Memory: the largest card and one piece of the stream.
///
/// A malformed card throws ``MalformedInput``; the next call goes on behind it.
public struct VCardReader {
    /// Cards above this are refused, whatever is in them: pictures are some hundred kilobytes.
    public static let largestCard = 64 << 20
    private static let usualProperties = 12

    private var lines: LineReader
    private var logicalLine = LogicalLine()
    /// A BEGIN:VCARD that ended the card before it.
    private var pendingBegin: Int?
    /// Whether lines outside a card were reported already; once for each stretch of them is enough.
    private var isInStrayLines = false

    /// A reader of a stream.
    ///
    /// - Throws: what the stream throws.
    public init(_ stream: ByteStream) throws {
        lines = LineReader(try stream.inUTF8())
    }

    /// The next card; nil at the end.
    ///
    /// - Throws: ``MalformedInput`` for this card, or what the stream throws.
    public mutating func next() throws -> VCard? {
        guard let beginLine = try findBegin() else { return nil }
        var card = VCard(line: beginLine)
        card.properties.reserveCapacity(VCardReader.usualProperties)
        var size = 0
        do {
            while try readLogicalLine() {
                if logicalLine.isEmpty { continue }
                size += logicalLine.bytes.count
                if size > VCardReader.largestCard {
                    throw MalformedInput(line: beginLine, reason: "the card is larger than 64 MiB")
                }
                if logicalLine.isBase64, let last = card.properties.indices.last, card.properties[last].isBase64 {
                    card.properties[last].value += String(decoding: logicalLine.bytes, as: UTF8.self)
                    continue
                }
                var property = try logicalLine.property(isVersion21: card.version == "2.1")
                switch property.name {
                case "END" where property.isVCard:
                    return card
                case "BEGIN" where property.isVCard:
                    pendingBegin = property.line
                    throw MalformedInput(
                        line: beginLine,
                        reason:
                            "the card that begins here has no END:VCARD before the next one in line \(property.line)")
                case "VERSION":
                    card.version = try VCardReader.version(property)
                    for index in card.properties.indices where card.properties[index].name != "AGENT" {
                        card.properties[index].isVersion21 = card.version == "2.1"
                    }
                case "AGENT" where property.value.trimmedOfSpaces.isEmpty:
                    guard let nested = try readNestedCard() else { continue }
                    property.value = VCardText.escaped(nested)
                    property.isVersion21 = false
                    card.properties.append(property)
                default:
                    if property.isBase64 { property.value.removeAll { $0 == " " || $0 == "\t" } }
                    card.properties.append(property)
                }
            }
        } catch let fault as MalformedInput {
            if pendingBegin == nil { try skipToEnd() }
            throw fault
        }
        throw MalformedInput(
            line: beginLine, reason: "the card that begins here is cut off: the file ends without END:VCARD")
    }

    private static func version(_ property: VCardProperty) throws -> String {
        let version = property.value.trimmedOfSpaces
        guard VCardFormat.versions.contains(version) else {
            throw MalformedInput(
                line: property.line, reason: "vCard version \"\(version)\" is unknown; 2.1, 3.0 and 4.0 can be read")
        }
        return version
    }
}

// MARK: - From card to card

extension VCardReader {
    /// Reads up to BEGIN:VCARD and gives its line; nil at the end of the stream.
    private mutating func findBegin() throws -> Int? {
        if let line = pendingBegin {
            pendingBegin = nil
            return line
        }
        while try readLogicalLine() {
            if logicalLine.isEmpty { continue }
            if logicalLine.isDelimiter("BEGIN") {
                isInStrayLines = false
                return logicalLine.line
            }
            guard !isInStrayLines else { continue }
            isInStrayLines = true
            throw MalformedInput(
                line: logicalLine.line, reason: "this line stands outside a card: BEGIN:VCARD was expected")
        }
        return nil
    }

    /// Leaves the rest of a malformed card out.
    private mutating func skipToEnd() throws {
        while try readLogicalLine() {
            if logicalLine.isDelimiter("END") { return }
            if logicalLine.isDelimiter("BEGIN") {
                pendingBegin = logicalLine.line
                return
            }
        }
    }

    /// Reads the card that version 2.1 lets stand inside another one, behind AGENT, as the text that version 3 has in that place
    /// (RFC 2426, section 3.5.4); nil if there is none.
    ///
    /// An agent of an agent is read as well; further ones are left out, since each step doubles the backslashes.
    private mutating func readNestedCard(depth: Int = 1) throws -> String? {
        guard try readLogicalLine(), logicalLine.isDelimiter("BEGIN") else { return nil }
        var text = "BEGIN:VCARD\nVERSION:3.0\n"
        var isVersion21 = true
        while try readLogicalLine() {
            if logicalLine.isEmpty { continue }
            if logicalLine.isDelimiter("END") { return text + "END:VCARD" }
            let property = try logicalLine.property(isVersion21: isVersion21)
            if property.name == "VERSION" {
                isVersion21 = property.value.trimmedOfSpaces == "2.1"
            } else if property.name == "AGENT", property.value.trimmedOfSpaces.isEmpty {
                if depth < VCardReader.deepestAgent {
                    guard let nested = try readNestedCard(depth: depth + 1) else { continue }
                    text += "AGENT:" + VCardText.escaped(nested) + "\n"
                } else {
                    try skipNestedCards()
                }
            } else {
                text += property.unfolded + "\n"
            }
            guard text.utf8.count <= VCardReader.largestCard else {
                throw MalformedInput(line: property.line, reason: "the card is larger than 64 MiB")
            }
        }
        return text + "END:VCARD"
    }
}

extension VCardReader {
    private static let deepestAgent = 2

    /// Leaves out a card inside a card, and all cards inside that.
    private mutating func skipNestedCards() throws {
        guard try readLogicalLine(), logicalLine.isDelimiter("BEGIN") else { return }
        var depth = 1
        while depth > 0, try readLogicalLine() {
            if logicalLine.isDelimiter("BEGIN") { depth += 1 }
            if logicalLine.isDelimiter("END") { depth -= 1 }
        }
    }
}

// MARK: - Lines

extension VCardReader {
    /// Reads one line with all its continuations; false at the end.
    private mutating func readLogicalLine() throws -> Bool {
        logicalLine.clear(line: lines.lineNumber + 1)
        let limit = VCardReader.largestCard + 1
        guard try lines.appendLine(to: &logicalLine.bytes, limit: limit) else { return false }
        logicalLine.dropByteOrderMark()
        while let byte = try lines.peek() {
            if logicalLine.endsInSoftBreak {
                logicalLine.removeSoftBreak()
                logicalLine.markContinuation(line: lines.lineNumber + 1, column: 1)
                guard try lines.appendLine(to: &logicalLine.bytes, limit: limit) else { break }
            } else if byte == 0x20 || byte == 0x09 {
                logicalLine.markContinuation(line: lines.lineNumber + 1, column: 2)
                guard try lines.appendLine(to: &logicalLine.bytes, dropping: 1, limit: limit) else { break }
            } else {
                break
            }
        }
        logicalLine.dropZeros()
        return true
    }
}

extension VCardProperty {
    fileprivate var isVCard: Bool { value == "VCARD" || value.trimmedOfSpaces.uppercased() == "VCARD" }

    fileprivate var isBase64: Bool {
        parameters.contains { parameter in
            parameter.name == "ENCODING" && parameter.values.contains { ["B", "BASE64"].contains($0.uppercased()) }
        }
    }
}

extension String {
    /// Without U+0000, which no text has and at which a database ends one.
    package var withoutZeros: String {
        guard utf8.contains(0) else { return self }
        var scalars = unicodeScalars
        scalars.removeAll { $0 == "\0" }
        return String(scalars)
    }

    /// The parts around each place where a separator stands, byte by byte. To Foundation a separator with a combining accent behind it is
    /// another character, and not found: a group that is called `'` and an accent would end a quoted text.
    package func parts(around separator: String) -> [String] {
        utf8.split(separator: separator.utf8, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Without the white space at both ends, of whatever script.
    package var trimmedOfSpaces: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        // No visible character of ASCII is white space, and all others may be.
        if (0x21...0x7E).contains(first), (0x21...0x7E).contains(last) { return self }
        // By scalars: a space with a combining accent behind it is one character, and the accent is not to go with it.
        var slice = unicodeScalars[...]
        while slice.first?.properties.isWhitespace ?? false { slice.removeFirst() }
        while slice.last?.properties.isWhitespace ?? false { slice.removeLast() }
        return String(slice)
    }
}
