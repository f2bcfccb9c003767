import Foundation
import SwitchboardVCard

/// Copies the malformed cards or rows of an imported source to a file, where they can be corrected and imported.
struct RejectedRecords {
    private let source: ImportSource
    /// The lines of the errors that are still to be found, ascending.
    private var lines: ArraySlice<Int>

    /// Writes the records with errors to `NAME.rejected.vcf` or `NAME.rejected.csv` beside the source or, if that is not
    /// possible, in the current folder. An existing file with another content is kept.
    ///
    /// - Parameter lines: The lines of the errors.
    /// - Returns: The path of the file; nil if the format is neither vCard nor CSV.
    /// - Throws: The error of the current folder.
    static func write(_ lines: [Int], of source: ImportSource) throws -> String? {
        var records = RejectedRecords(source: source, lines: lines.sorted()[...])
        let (format, stream) = try ImportFormat.detected(in: source.opened(again: true), name: source.name)
        let (ranges, ending) =
            switch format {
            case .vCard: (try records.cards(in: stream), "vcf")
            case .table: (try records.rows(in: stream), "csv")
            case .json, .abook: ([], "")
            }
        if ranges.isEmpty { return nil }
        let bytes = try records.copy(of: ranges)
        var path = source.path ?? "import"
        path = (path as NSString).deletingPathExtension + ".rejected"
        do {
            return try write(bytes, to: path, ending)
        } catch {
            return try write(bytes, to: (path as NSString).lastPathComponent, ending)
        }
    }

    private static func write(_ bytes: Data, to path: String, _ ending: String) throws -> String {
        var number = 1
        while true {
            let candidate = path + (number == 1 ? "." : "-\(number).") + ending
            do {
                try bytes.write(to: URL(fileURLWithPath: candidate), options: .withoutOverwriting)
                return candidate
            } catch CocoaError.fileWriteFileExists {
                if FileManager.default.contents(atPath: candidate) == bytes { return candidate }
                number += 1
            }
        }
    }

    /// Returns the lines of the cards with errors, and of the text outside cards with errors.
    private mutating func cards(in stream: ByteStream) throws -> [ClosedRange<Int>] {
        var reader = LineReader(try stream.inUTF8())
        var ranges: [ClosedRange<Int>] = []
        var start = 1
        var line: [UInt8] = []
        func end(at last: Int) {
            if start <= last, hasError(start...last) { ranges.append(start...last) }
            start = last + 1
        }
        while try reader.appendLine(to: &line, limit: 64) {
            let text = String(decoding: line, as: UTF8.self).uppercased().trimmingWhitespace
            if text == "BEGIN:VCARD" { end(at: reader.lineNumber - 1) }
            if text == "END:VCARD" { end(at: reader.lineNumber) }
            line.removeAll(keepingCapacity: true)
        }
        end(at: reader.lineNumber)
        return ranges
    }

    /// Returns the lines of the header and of the rows with errors.
    private mutating func rows(in stream: ByteStream) throws -> [ClosedRange<Int>] {
        var reader = try CSVReader(stream)
        var ranges: [ClosedRange<Int>] = []
        var isAtEnd = false
        while !isAtEnd {
            let start = reader.lineNumber + 1
            do { isAtEnd = try reader.next() == nil } catch is MalformedInput {}
            let end = reader.lineNumber
            if end >= start, hasError(start...end) || start == 1 { ranges.append(start...end) }
        }
        return ranges
    }

    private mutating func hasError(_ range: ClosedRange<Int>) -> Bool {
        let inside = lines.prefix { $0 <= range.upperBound }
        lines.removeFirst(inside.count)
        return inside.contains { $0 >= range.lowerBound }
    }

    private func copy(of ranges: [ClosedRange<Int>]) throws -> Data {
        var reader = LineReader(try source.opened(again: true).inUTF8())
        var copy: [UInt8] = []
        for range in ranges {
            var skipped: [UInt8] = []
            while reader.lineNumber < range.lowerBound - 1, try reader.appendLine(to: &skipped, limit: 0) {}
            while reader.lineNumber < range.upperBound, try reader.appendLine(to: &copy) { copy += [0x0D, 0x0A] }
        }
        return Data(copy)
    }
}
