@_exported public import SwitchboardErrors

/// Reads the cards of a vCard stream one at a time: versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), even mixed.
///
/// The reader accepts any line breaks, a byte order mark, UTF-16, lines folded anywhere (even inside a character),
/// quoted-printable with soft line breaks, `CHARSET=` and groups. It holds the current card and one chunk of the stream
/// in memory.
///
/// For example:
///
/// ```swift
/// var reader = try VCardReader(ByteStream(Array(text.utf8)))
/// while let card = try reader.next() {
///     print(card.properties.first { $0.name == "FN" }?.text ?? "(no name)")
/// }
/// ```
///
/// A line that is not a property does not cost its card: it continues the text before it or becomes a property
/// `X-UNREAD-LINE`, and ``VCard/notes`` has the reason. A malformed card throws `MalformedInput`; the next call
/// continues after it.
public struct VCardReader {
    /// The maximum size of a card in bytes. A card with a picture has about a hundred kilobytes.
    public static let largestCard = 64 << 20
    /// The maximum size in bytes of a card without its pictures and other media.
    public static let largestText = 1 << 20
    private static let usualProperties = 12

    private var lines: LineReader
    private var contentLine = ContentLine()
    /// The line of a BEGIN:VCARD that ended the card before it.
    private var pendingBegin: Int?
    /// `true` after the first BEGIN:VCARD.
    private var hasFoundCard = false
    private var notes: [MalformedInput] = []
    private let isStrict: Bool

    /// Creates a reader of a stream.
    ///
    /// - Parameters:
    ///   - stream: The bytes of the cards.
    ///   - charset: The character set of values that declare none; nil for UTF-8 or else Windows-1252.
    ///   - isStrict: `true` to throw an error for a line that is not a property.
    /// - Throws: Errors of the stream.
    public init(_ stream: ByteStream, charset: String? = nil, isStrict: Bool = false) throws {
        self.isStrict = isStrict
        lines = LineReader(try stream.inUTF8())
        contentLine.charset = charset
    }

    /// Returns the notes about text outside the cards read so far, and forgets them.
    public mutating func takeNotes() -> [MalformedInput] {
        defer { notes = [] }
        return notes
    }

    /// Returns the next card, or nil at the end.
    ///
    /// - Throws: `MalformedInput` for this card, or errors of the stream.
    public mutating func next() throws -> VCard? {
        guard let beginLine = try findBegin() else { return nil }
        var card = VCard(line: beginLine)
        card.properties.reserveCapacity(VCardReader.usualProperties)
        var size = 0
        var textSize = 0
        do {
            while try readContentLine() {
                if contentLine.isBlank { continue }
                size += contentLine.bytes.count
                if size > VCardReader.largestCard {
                    throw MalformedInput(line: beginLine, reason: "the card is larger than 64 MiB")
                }
                let isMedia = contentLine.isMedia
                if !isMedia { textSize += contentLine.bytes.count }
                if contentLine.isBase64, let last = card.properties.indices.last, card.properties[last].isBase64 {
                    card.properties[last].value += String(decoding: contentLine.bytes, as: UTF8.self)
                    card.properties[last].lastLine = lines.lineNumber
                    textSize -= isMedia ? 0 : contentLine.bytes.count
                    continue
                }
                if textSize > VCardReader.largestText {
                    throw MalformedInput(line: beginLine, reason: "the card is larger than 1 MiB without its pictures")
                }
                var property: VCardProperty
                do {
                    property = try contentLine.property(isVersion21: card.version == "2.1")
                } catch {
                    if isStrict { throw error }
                    keepLine(error.reason, in: &card)
                    continue
                }
                property.lastLine = lines.lineNumber
                if let problem = property.problem {
                    card.notes.append(MalformedInput(line: property.line, reason: problem))
                }
                switch property.name {
                case "END" where property.value.trimmingWhitespace.uppercased().hasPrefix("VCARD"):
                    let rest = property.value.trimmingWhitespace.dropFirst(5)
                    if rest.uppercased().hasPrefix("BEGIN:VCARD") {
                        pendingBegin = property.line
                    } else if !rest.isEmpty {
                        noteStray(String(rest), line: property.line)
                    }
                    return card
                case "BEGIN" where property.value.trimmingWhitespace.uppercased() == "VCARD":
                    pendingBegin = property.line
                    throw MalformedInput(
                        line: beginLine,
                        reason: "the card has no END:VCARD before the next one in line \(property.line)")
                case "VERSION":
                    card.version = try VCardReader.version(property)
                    for index in card.properties.indices
                    where !["AGENT", VCardProperty.unreadLine].contains(card.properties[index].name) {
                        card.properties[index].isVersion21 = card.version == "2.1"
                    }
                case "AGENT" where property.value.trimmingWhitespace.isEmpty:
                    guard let nested = try readNestedCard() else { continue }
                    property.lastLine = lines.lineNumber
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
        throw MalformedInput(line: beginLine, reason: "the card is truncated: the file ends without END:VCARD")
    }

    /// Keeps a line that is not a property.
    ///
    /// Google and old Android phones write a line break within a text as it is. A line without a colon therefore
    /// continues the text before it.
    private func keepLine(_ reason: String, in card: inout VCard) {
        let text = contentLine.text
        let remedy: String
        if !contentLine.hasColon, let last = card.properties.indices.last,
            VCardReader.texts.contains(card.properties[last].name)
        {
            let breaks = max(1, contentLine.line - card.properties[last].lastLine)
            card.properties[last].value += String(repeating: "\n", count: breaks) + text
            card.properties[last].lastLine = lines.lineNumber
            remedy = "it was added to \(card.properties[last].name)"
        } else {
            var property = VCardProperty(
                name: VCardProperty.unreadLine, value: VCardText.escaped(text), line: contentLine.line)
            property.lastLine = lines.lineNumber
            card.properties.append(property)
            remedy = "the line is kept as \(VCardProperty.unreadLine)"
        }
        card.notes.append(MalformedInput(line: contentLine.line, reason: reason + "; " + remedy))
    }

    /// The properties whose text may have several lines.
    private static let texts: Set = ["FN", "N", "NICKNAME", "ORG", "TITLE", "ROLE", "ADR", "LABEL", "NOTE"]

    private mutating func noteStray(_ text: String, line: Int, count: Int = 1) {
        let others = count == 1 ? "" : " and \(count - 1) more \(count == 2 ? "line" : "lines")"
        notes.append(
            MalformedInput(line: line, reason: "not imported: “\(text.prefix(60))”\(others) outside a card"))
    }

    private static func version(_ property: VCardProperty) throws -> String {
        let version = property.value.trimmingWhitespace
        guard ["2.1", "3.0", "4.0"].contains(version) else {
            throw MalformedInput(
                line: property.line, reason: "unsupported vCard version \"\(version)\"; use 2.1, 3.0 or 4.0")
        }
        return version
    }
}

// MARK: - Card boundaries

extension VCardReader {
    /// Reads up to BEGIN:VCARD and returns its line, or nil at the end of the stream.
    private mutating func findBegin() throws -> Int? {
        if let line = pendingBegin {
            pendingBegin = nil
            return line
        }
        var stray: (text: String, line: Int, count: Int)?
        var begin: Int?
        // Without END:VCARD, the lines are not what remains of a card.
        var isCard = false
        while begin == nil, try readContentLine() {
            if contentLine.isBlank { continue }
            if contentLine.isDelimiter("BEGIN") {
                begin = contentLine.line
                break
            }
            isCard = isCard || contentLine.isDelimiter("END")
            var text = contentLine.text
            // A file that ends with NULL and no line break, followed by another file.
            if text.uppercased().hasSuffix("BEGIN:VCARD") {
                begin = contentLine.line
                text.removeLast("BEGIN:VCARD".count)
            }
            stray = (stray?.text ?? text, stray?.line ?? contentLine.line, (stray?.count ?? 0) + 1)
        }
        if begin != nil { hasFoundCard = true }
        guard let stray else { return begin }
        guard isCard || !hasFoundCard else {
            noteStray(stray.text, line: stray.line, count: stray.count)
            return begin
        }
        pendingBegin = begin
        throw MalformedInput(line: stray.line, reason: "expected BEGIN:VCARD, but found a line outside a card")
    }

    private mutating func skipToEnd() throws {
        while try readContentLine() {
            if contentLine.isDelimiter("END") { return }
            if contentLine.isDelimiter("BEGIN") {
                pendingBegin = contentLine.line
                return
            }
        }
    }

    /// Reads the card nested after AGENT in version 2.1 and returns it as the text value of version 3 (RFC 2426,
    /// section 3.5.4); nil if there is none.
    ///
    /// Two levels of agents are read. Deeper ones are skipped, since each level doubles the backslashes.
    private mutating func readNestedCard(depth: Int = 1) throws -> String? {
        guard try readContentLine(), contentLine.isDelimiter("BEGIN") else { return nil }
        var text = "BEGIN:VCARD\nVERSION:3.0\n"
        var isVersion21 = true
        while try readContentLine() {
            if contentLine.isBlank { continue }
            if contentLine.isDelimiter("END") { return text + "END:VCARD" }
            guard let property = try? contentLine.property(isVersion21: isVersion21) else {
                text += VCardProperty.unreadLine + ":" + VCardText.escaped(contentLine.text) + "\n"
                continue
            }
            if property.name == "VERSION" {
                isVersion21 = property.value.trimmingWhitespace == "2.1"
            } else if property.name == "AGENT", property.value.trimmingWhitespace.isEmpty {
                if depth < VCardReader.maximumAgentDepth {
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

    private static let maximumAgentDepth = 2

    private mutating func skipNestedCards() throws {
        guard try readContentLine(), contentLine.isDelimiter("BEGIN") else { return }
        var depth = 1
        while depth > 0, try readContentLine() {
            if contentLine.isDelimiter("BEGIN") { depth += 1 }
            if contentLine.isDelimiter("END") { depth -= 1 }
        }
    }
}

// MARK: - Lines

extension VCardReader {
    /// Reads one content line with its continuations. Returns `false` at the end.
    private mutating func readContentLine() throws -> Bool {
        contentLine.clear(line: lines.lineNumber + 1)
        // The rest of a longer text is dropped while it is read, so that it does not fill the memory.
        let limit =
            ContentLine.isMedia(try lines.buffered(128)) ? VCardReader.largestCard + 1 : VCardReader.largestText + 1
        guard try lines.appendLine(to: &contentLine.bytes, limit: limit) else { return false }
        contentLine.dropByteOrderMark()
        while let byte = try lines.peek() {
            if contentLine.endsInSoftBreak {
                contentLine.removeSoftBreak()
                guard try lines.appendLine(to: &contentLine.bytes, limit: limit) else { break }
            } else if byte == 0x20 || byte == 0x09 {
                guard try lines.appendLine(to: &contentLine.bytes, dropping: 1, limit: limit) else { break }
            } else {
                break
            }
        }
        contentLine.dropZeros()
        return true
    }
}

extension VCardProperty {
    fileprivate var isBase64: Bool {
        parameters.contains { parameter in
            parameter.name == "ENCODING" && parameter.values.contains { ["B", "BASE64"].contains($0.uppercased()) }
        }
    }
}

extension String {
    /// The string without U+0000, at which SQLite would truncate it.
    package var removingNulls: String {
        guard utf8.contains(0) else { return self }
        var scalars = unicodeScalars
        scalars.removeAll { $0 == "\0" }
        return String(scalars)
    }

    /// Splits the string at a separator, comparing bytes.
    ///
    /// Foundation does not find a separator that is followed by a combining accent, so a `'` with an accent would
    /// remain unescaped in quoted text.
    package func components(splitBy separator: String) -> [String] {
        utf8.split(separator: separator.utf8, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The string without leading and trailing Unicode white space.
    package var trimmingWhitespace: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        // Fast path: visible ASCII is never white space.
        if (0x21...0x7E).contains(first), (0x21...0x7E).contains(last) { return self }
        // Trims scalars: a space with a combining accent is one Character, whose accent must stay.
        var slice = unicodeScalars[...]
        while slice.first?.properties.isWhitespace ?? false { slice.removeFirst() }
        while slice.last?.properties.isWhitespace ?? false { slice.removeLast() }
        return String(slice)
    }
}
