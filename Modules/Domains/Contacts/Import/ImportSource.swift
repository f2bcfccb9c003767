import Foundation
import SwitchboardErrors
import SwitchboardJSON
import SwitchboardStorage
import SwitchboardVCard

/// A source of contacts: a file, standard input, or bytes.
public struct ImportSource: Sendable {
    /// The name shown in reports.
    public let name: String

    private enum Origin: Sendable {
        case file(path: String)
        /// - Parameter copy: The file that receives a copy, because standard input can be read only once.
        case standardInput(copy: URL)
        case bytes([UInt8])
    }

    private let origin: Origin

    /// Creates a source from a file; "-" is standard input.
    public static func file(_ path: String) -> ImportSource {
        path == "-" ? standardInput : ImportSource(name: path, origin: .file(path: path))
    }

    /// Standard input, which can be read once.
    public static var standardInput: ImportSource {
        let name = "switchboard-import-" + UUID().uuidString
        return ImportSource(
            name: "-", origin: .standardInput(copy: FileManager.default.temporaryDirectory.appendingPathComponent(name))
        )
    }

    /// Creates a source from bytes, such as the body of a request.
    public static func bytes(_ bytes: [UInt8], name: String) -> ImportSource {
        ImportSource(name: name, origin: .bytes(bytes))
    }

    /// Checks that the file is readable.
    ///
    /// - Throws: ``ContactBookError/missingFile(path:)``, ``ContactBookError/unreadable(path:reason:)``.
    func check() throws {
        guard case .file(let path) = origin else { return }
        var isFolder: ObjCBool = false
        // Safe: the result is written to a local variable.
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ContactBookError.missingFile(path: path)
        }
        if isFolder.boolValue { throw ContactBookError.unreadable(path: path, reason: "it is a folder") }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ContactBookError.unreadable(path: path, reason: "permission denied")
        }
    }

    /// The path of the file; nil for other sources.
    var path: String? {
        if case .file(let path) = origin { path } else { nil }
    }

    /// Opens a stream of the bytes in UTF-8.
    ///
    /// - Parameter again: `true` to read standard input from the copy that reading it has created.
    func opened(again: Bool = false) throws -> ByteStream {
        switch origin {
        case .bytes(let bytes): return try ByteStream(bytes).inUTF8()
        case .standardInput(let copy):
            if again { return try ByteStream(FileHandle(forReadingFrom: copy)).inUTF8() }
            let isPrivate = [FileAttributeKey.posixPermissions: 0o600]
            guard FileManager.default.createFile(atPath: copy.path, contents: nil, attributes: isPrivate) else {
                throw ContactBookError.unreadable(path: copy.path, reason: "it cannot be created")
            }
            let (input, output) = (ByteStream(FileHandle.standardInput), try FileHandle(forWritingTo: copy))
            return try ByteStream {
                let chunk = try input.next()
                if let chunk { try output.write(contentsOf: chunk) }
                return chunk
            }.inUTF8()
        case .file(let path):
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw ContactBookError.unreadable(path: path, reason: "it cannot be opened")
            }
            return try ByteStream(handle).inUTF8()
        }
    }

    /// Deletes the copy of standard input.
    func close() {
        if case .standardInput(let copy) = origin { try? FileManager.default.removeItem(at: copy) }
    }
}

enum ImportFormat {
    case vCard
    case table
    case json
    case abook

    /// Detects the format of a stream. Returns it with a stream that begins at the same place.
    static func detected(in stream: ByteStream, name: String) throws -> (ImportFormat, ByteStream) {
        var head: [UInt8] = []
        func hasLine() -> Bool {
            guard let start = head.firstIndex(where: { $0 > 0x20 }) else { return false }
            return head[start...].contains { $0 == 0x0A || $0 == 0x0D }
        }
        while head.count < 1 << 16, !hasLine(), let piece = try stream.next() { head += piece }
        let start = head.firstIndex { $0 > 0x20 } ?? head.endIndex
        let line = head[start...].prefix { $0 != 0x0A && $0 != 0x0D }
        return (ImportFormat(firstLine: Array(line), name: name), ByteStream(head, then: stream))
    }

    /// Detects the format from the first line, or else from the file name.
    private init(firstLine: [UInt8], name: String) {
        let line = String(decoding: firstLine.prefix(4096), as: UTF8.self).lowercased()
        let lowercasedName = name.lowercased()
        if line.trimmingWhitespace.hasPrefix("begin:") {
            self = .vCard
        } else if line.hasPrefix("# abook addressbook") || line.hasPrefix("[format]") {
            self = .abook
        } else if ["{", "["].contains(line.trimmingWhitespace.first) {
            self = .json
        } else if [".csv", ".tsv", ".txt"].contains(where: lowercasedName.hasSuffix) {
            self = .table
        } else if [".vcf", ".vcard"].contains(where: lowercasedName.hasSuffix) {
            self = .vCard
        } else {
            // A CSV header has a separator before any colon.
            let separator = line.firstIndex { $0 == "," || $0 == ";" || $0 == "\t" }
            let colon = line.firstIndex(of: ":")
            self = separator.map { index in colon.map { index < $0 } ?? true } ?? false ? .table : .vCard
        }
    }
}

private struct RecordReader {
    /// A card or a row that is not yet interpreted. Interpreting it is slow and can be done on any thread.
    enum RawRecord: Sendable {
        case card(VCard)
        case row(CSVReader.Row, ContactColumns)
        case json(JSONRecord)
        case entry(Contact, line: Int)
        case note(MalformedInput)

        /// The approximate size in bytes.
        var size: Int {
            switch self {
            case .card(let card): card.properties.reduce(0) { $0 + $1.value.utf8.count + 64 }
            case .row(let row, _): row.fields.reduce(0) { $0 + $1.utf8.count + 16 }
            case .json(let record): record.bytes.count
            case .entry(let contact, _): 256 + contact.note.utf8.count
            case .note(let note): note.reason.utf8.count
            }
        }

        func interpreted(region: String?) throws(MalformedInput) -> ImportedRecord {
            switch self {
            case .card(let card):
                if let group = try GroupCard(card) { return .group(group) }
                let contact = try Contact(interpreting: card, region: region)
                guard contact.isNameable else {
                    return .note(MalformedInput(line: card.line, reason: "not imported: the card is empty"))
                }
                let kept = contact.deduplicated
                return .contact(
                    PreparedContact(kept), line: card.line, assumedLine: card.firstAssumedLine,
                    notes: contact.notes(on: card, keptAs: kept))
            case .note(let note): return .note(note)
            case .json(let record):
                return try RawRecord.entry(try record.contact(), line: record.place.line).interpreted(region: region)
            case .entry(let contact, let line):
                try contact.checkSizes(line: line)
                let imported = try contact.imported(line: line, region: region)
                let kept = imported.deduplicated
                return .contact(
                    PreparedContact(kept), line: line, assumedLine: nil,
                    notes: imported.repetitions(leftOutOf: kept, line: line))
            case .row(let row, let columns):
                let contact = try Contact(row, columns: columns, region: region)
                try contact.checkSizes(line: row.line)
                guard contact.isNameable else {
                    return .note(MalformedInput(line: row.line, reason: "not imported: the row is empty"))
                }
                let kept = contact.deduplicated
                return .contact(
                    PreparedContact(kept), line: row.line, assumedLine: nil, unread: columns.unread(in: row),
                    notes: columns.notes(about: row) + contact.repetitions(leftOutOf: kept, line: row.line))
            }
        }
    }

    private enum Reader {
        case cards(VCardReader)
        case rows(CSVReader, ContactColumns?)
        case json(JSONRecordReader)
        case entries(ContactList)
        /// An address book of abook, which is read as a whole when its first entry is requested.
        case unread(ByteStream)
    }

    private var reader: Reader
    /// The notes about text between cards that are not returned yet.
    private var notes: [MalformedInput] = []

    init(_ source: ImportSource, encoding: String?) throws {
        let (format, whole) = try ImportFormat.detected(in: source.opened(), name: source.name)
        switch format {
        case .vCard: reader = .cards(try VCardReader(whole, charset: encoding))
        case .table: reader = .rows(try CSVReader(whole, charset: encoding), nil)
        case .json: reader = .json(JSONRecord.reader(ofContactsIn: whole))
        case .abook: reader = .unread(whole)
        }
    }

    /// Returns the next record; nil at the end.
    ///
    /// - Throws: ``MalformedInput``, after which the next call continues with the following record, or the errors of
    ///   the source.
    mutating func next() throws -> RawRecord? {
        switch reader {
        case .cards(var cards):
            defer { reader = .cards(cards) }
            if let note = notes.popLast() { return .note(note) }
            let card = try cards.next()
            notes = cards.takeNotes().reversed()
            return card.map { .card($0) } ?? notes.popLast().map { .note($0) }
        case .json(var records):
            defer { reader = .json(records) }
            return try records.next().map { .json($0) }
        case .unread(let stream):
            // Nothing can be read after an error.
            reader = .entries(ContactList())
            reader = .entries(try ContactList(abook: stream))
            return try next()
        case .entries(var entries):
            defer { reader = .entries(entries) }
            return entries.next().map { .entry($0.contact, line: $0.line) }
        case .rows(var rows, let known):
            var columns = known
            defer { reader = .rows(rows, columns) }
            if columns == nil {
                guard let header = try rows.next() else { return nil }
                do {
                    columns = try ContactColumns(header: header)
                } catch {
                    // Without columns, the rows cannot be interpreted.
                    rows = try CSVReader(ByteStream([]))
                    throw error
                }
            }
            guard let columns, let row = try rows.next() else { return nil }
            return .row(row, columns)
        }
    }
}

enum ImportedRecord: Sendable {
    /// - Parameters:
    ///   - line: The line of the card or row.
    ///   - assumedLine: The first line that was read as Windows-1252, if any.
    ///   - unread: The unmapped columns that have a value.
    ///   - notes: The lines and values that were not read as they are.
    case contact(
        PreparedContact, line: Int, assumedLine: Int?, unread: [String] = [], notes: [MalformedInput] = [])
    case group(GroupCard)
    /// Text that is no record.
    case note(MalformedInput)
}

/// Reads and interprets the records of a source on other threads, ahead of the thread that stores them.
///
/// A malformed record yields an error result; an error of the source ends the pipeline.
enum ImportPipeline {
    typealias Outcome = Result<ImportedRecord, MalformedInput>
    private typealias RawOutcome = Result<RecordReader.RawRecord, MalformedInput>

    private static let batchSize = 512
    private static let batchBytes = 4 << 20

    static func reading(_ source: ImportSource, region: String?, encoding: String?) -> BatchPipeline<Outcome> {
        BatchPipeline(
            reading: {
                var reader = try RecordReader(source, encoding: encoding)
                return { try readBatch(&reader) }
            },
            preparing: { result in
                result.flatMap { record in
                    Result { () throws(MalformedInput) in try record.interpreted(region: region) }
                }
            })
    }

    private static func readBatch(_ reader: inout RecordReader) throws -> [RawOutcome] {
        var batch: [RawOutcome] = []
        var bytes = 0
        while batch.count < batchSize, bytes < batchBytes {
            do {
                guard let record = try reader.next() else { break }
                bytes += record.size
                batch.append(.success(record))
            } catch let error as MalformedInput {
                batch.append(.failure(error))
            }
        }
        return batch
    }
}
