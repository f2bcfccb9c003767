import SwitchboardVCard

/// A streaming reader of comma-separated values (RFC 4180) that reports line numbers.
///
/// It accepts common deviations: semicolons or tabs as separators, short rows, any line ending, line breaks in fields,
/// and other character sets instead of UTF-8, which are detected if that is safe. An unclosed quotation mark and text after a closing one are errors.
///
/// SwiftCSV is not used because it needs the whole file as one `String`, splits by grapheme clusters (a combining mark
/// hides a separator), has no line numbers, and accepts unclosed quotation marks.
struct CSVReader {
    struct Row {
        var fields: [String]
        /// The line at which the row starts, from 1.
        var line: Int
        /// The character set of a row that is not UTF-8, if nobody named it.
        var assumedCharset: String?
    }

    /// The maximum size of a row in bytes. Bounds the effect of an unclosed quotation mark.
    private static let largestRow = 16 << 20

    /// The size of the text from which the character set is detected.
    private static let sampleSize = 1 << 18

    private var lines: LineReader
    private var separator: UInt8?
    /// The named or detected character set; nil for UTF-8 or else Windows-1252.
    private let charset: String?
    private let isDetected: Bool

    /// The number of lines read so far.
    var lineNumber: Int { lines.lineNumber }

    /// Creates a reader of a stream.
    ///
    /// - Parameter charset: The character set; nil to detect it.
    init(_ stream: ByteStream, charset: String? = nil) throws {
        let stream = try stream.inUTF8()
        var sample: [UInt8] = []
        while sample.count < CSVReader.sampleSize, let chunk = try stream.next() { sample += chunk }
        let isUTF8 = String(validating: sample, as: UTF8.self) != nil
        self.charset = charset ?? (isUTF8 ? nil : Charset.detected(in: sample[...]))
        isDetected = charset == nil
        lines = LineReader(ByteStream(sample, then: stream))
    }

    /// Returns the next non-empty row; nil at the end.
    ///
    /// - Throws: ``MalformedInput``, after which the next call continues with the following row, or the errors of the
    ///   stream.
    mutating func next() throws -> Row? {
        var line: [UInt8] = []
        repeat {
            line.removeAll(keepingCapacity: true)
            guard try lines.appendLine(to: &line, limit: CSVReader.largestRow) else { return nil }
        } while line.isEmpty

        let separator = separator ?? CSVReader.separator(ofHeader: line)
        self.separator = separator
        // Excel declares the separator in a first line "sep=;".
        if lines.lineNumber == 1, line.count == 5, line.starts(with: Array("sep=".utf8)) {
            self.separator = line[4]
            return try next()
        }
        return try row(startingWith: line, separator: separator)
    }

    /// Returns the most frequent separator of the header outside quotation marks.
    private static func separator(ofHeader line: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line {
            if byte == 0x22 { isQuoted.toggle() }
            if !isQuoted, byte == 0x2C || byte == 0x3B || byte == 0x09 { counts[byte, default: 0] += 1 }
        }
        return [0x2C, 0x3B, 0x09].max { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0x2C
    }
}

// MARK: - Rows

extension CSVReader {
    private mutating func row(startingWith first: [UInt8], separator: UInt8) throws -> Row {
        var row = Row(fields: [], line: lines.lineNumber)
        var bytes = first
        var index = 0
        while true {
            if index < bytes.count, bytes[index] == 0x22 {
                let quoted = try quotedField(in: &bytes, from: index + 1, rowLine: row.line)
                row.fields.append(text(quoted.field[...], of: &row))
                index = quoted.end
                // Spaces after the quotation mark are ignored.
                while index < bytes.count, bytes[index] == 0x20 { index += 1 }
                if index < bytes.count, bytes[index] != separator {
                    throw MalformedInput(
                        line: lines.lineNumber, column: index + 1,
                        reason: "expected a separator after the closing quotation mark of field \(row.fields.count)"
                    )
                }
            } else {
                let end = bytes[index...].firstIndex(of: separator) ?? bytes.count
                row.fields.append(text(bytes[index..<end], of: &row))
                index = end
            }
            guard index < bytes.count else { return row }
            index += 1
        }
    }

    /// Reads a quoted field, which may span lines. Replaces `bytes` with the last line read.
    private mutating func quotedField(
        in bytes: inout [UInt8], from start: Int, rowLine: Int
    ) throws -> (field: [UInt8], end: Int) {
        var field: [UInt8] = []
        var index = start
        let opening = (line: lines.lineNumber, column: start)
        while true {
            while index < bytes.count {
                if bytes[index] != 0x22 {
                    field.append(bytes[index])
                    index += 1
                } else if index + 1 < bytes.count, bytes[index + 1] == 0x22 {
                    field.append(0x22)
                    index += 2
                } else {
                    return (field, index + 1)
                }
            }
            field.append(0x0A)
            bytes.removeAll(keepingCapacity: true)
            index = 0
            guard field.count <= CSVReader.largestRow,
                try lines.appendLine(to: &bytes, limit: CSVReader.largestRow)
            else {
                throw MalformedInput(
                    line: opening.line, column: opening.column,
                    reason: "the quotation mark that opens here is not closed")
            }
        }
    }

    /// Decodes the character set of the file, or else UTF-8, or else Windows-1252, in which all bytes are valid.
    private func text(_ bytes: ArraySlice<UInt8>, of row: inout Row) -> String {
        // A word in another character set may happen to be valid UTF-8.
        if let charset, let text = Charset.decode(bytes, named: charset) {
            if isDetected, bytes.contains(where: { $0 >= 0x80 }) { row.assumedCharset = charset }
            return text.removingNulls
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text.removingNulls }
        row.assumedCharset = "Windows-1252"
        return Charset.windows1252(bytes).removingNulls
    }
}
