import SwitchboardVCard

/// Reads the rows of a table in comma-separated values (RFC 4180), row by row, with the line where each begins.
///
/// Exports of address books bend the rules: separators may be semicolons or tabs, rows may be shorter than the header,
/// lines end in any way, fields hold line breaks, and old programs write Windows-1252 instead of UTF-8. All of these are
/// read; a quotation mark that is never closed, or that letters follow, is a fault with its place.
///
/// Why not the package SwiftCSV: it needs the whole file as one `String`, walks it by grapheme clusters (so a combining
/// mark after a separator hides the separator), gives no line numbers, takes an unclosed quotation mark for the end of
/// the file without a word, ends a row at U+2028 and U+0085 inside it, and drops the blanks a field begins with.
struct CSVReader {
    /// A row and the place of its fields.
    struct Row {
        var fields: [String]
        /// The line where the row begins, from 1.
        var line: Int
    }

    /// Rows above this are refused: a quotation mark that is never closed would swallow the file.
    static let largestRow = 16 << 20

    private var lines: LineReader
    private var separator: UInt8?

    /// - Throws: what the stream throws.
    init(_ stream: ByteStream) throws {
        lines = LineReader(try stream.inUTF8())
    }

    /// The next row that is not empty; nil at the end.
    ///
    /// - Throws: ``MalformedInput``, after which the next call goes on behind the row, or what the stream throws.
    mutating func next() throws -> Row? {
        var line: [UInt8] = []
        repeat {
            line.removeAll(keepingCapacity: true)
            guard try lines.appendLine(to: &line, limit: CSVReader.largestRow) else { return nil }
        } while line.isEmpty

        let separator = separator ?? CSVReader.separator(ofHeader: line)
        self.separator = separator
        // Excel's own way to name the separator: a first line "sep=;".
        if lines.lineNumber == 1, line.count == 5, line.starts(with: Array("sep=".utf8)) {
            self.separator = line[4]
            return try next()
        }
        return try row(beginningWith: line, separator: separator)
    }

    /// The separator that the header has most of, outside quotation marks.
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

// MARK: - One row

extension CSVReader {
    private mutating func row(beginningWith first: [UInt8], separator: UInt8) throws -> Row {
        var row = Row(fields: [], line: lines.lineNumber)
        var bytes = first
        var index = 0
        while true {
            if index < bytes.count, bytes[index] == 0x22 {
                let quoted = try quotedField(in: &bytes, from: index + 1, rowLine: row.line)
                row.fields.append(CSVReader.text(quoted.field[...]))
                index = quoted.end
                // Blanks between the quotation mark and the separator do no harm.
                while index < bytes.count, bytes[index] == 0x20 { index += 1 }
                if index < bytes.count, bytes[index] != separator {
                    throw MalformedInput(
                        line: lines.lineNumber, column: index + 1,
                        reason: "a separator was expected after the closing quotation mark of field \(row.fields.count)"
                    )
                }
            } else {
                let end = bytes[index...].firstIndex(of: separator) ?? bytes.count
                row.fields.append(CSVReader.text(bytes[index..<end]))
                index = end
            }
            guard index < bytes.count else { return row }
            index += 1
        }
    }

    /// Reads a quoted field, going on with the next lines while it is open; `bytes` is then the last of those lines.
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
                    reason: "the quotation mark that opens here is never closed")
            }
        }
    }

    /// UTF-8, or else Windows-1252, in which any bytes are a text.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        (String(validating: bytes, as: UTF8.self) ?? Charset.windows1252(bytes)).removingNulls
    }
}
