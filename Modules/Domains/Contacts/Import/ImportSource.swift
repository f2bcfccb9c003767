import Foundation
import SwitchboardVCard

/// Where contacts to import come from: a file, standard input, or bytes in hand.
public struct ImportSource: Sendable {
    /// The name that reports give it.
    public let name: String

    private enum Origin: Sendable {
        case file(path: String)
        case standardInput
        case bytes([UInt8])
    }

    private let origin: Origin

    /// A file; "-" is standard input.
    public static func file(_ path: String) -> ImportSource {
        path == "-" ? standardInput : ImportSource(name: path, origin: .file(path: path))
    }

    /// What is piped in; it can be read once.
    public static var standardInput: ImportSource { ImportSource(name: "-", origin: .standardInput) }

    /// Bytes, such as the body of a request.
    public static func bytes(_ bytes: [UInt8], name: String) -> ImportSource {
        ImportSource(name: name, origin: .bytes(bytes))
    }

    /// Whether there is something to read, before anything is imported.
    ///
    /// - Throws: ``ContactBookError/missingFile(path:)``, ``ContactBookError/unreadable(path:reason:)``.
    func check() throws {
        guard case .file(let path) = origin else { return }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ContactBookError.missingFile(path: path)
        }
        if isFolder.boolValue { throw ContactBookError.unreadable(path: path, reason: "it is a folder") }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ContactBookError.unreadable(path: path, reason: "its permissions forbid it")
        }
    }

    /// The bytes from the beginning, in UTF-8.
    func open() throws -> ByteStream {
        switch origin {
        case .bytes(let bytes): return try ByteStream(bytes).inUTF8()
        case .standardInput: return try ByteStream(FileHandle.standardInput).inUTF8()
        case .file(let path):
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw ContactBookError.unreadable(path: path, reason: "it cannot be opened")
            }
            return try ByteStream(handle).inUTF8()
        }
    }
}

/// The formats that contacts are imported from.
enum ImportFormat {
    case vCard
    case table

    /// Tells the format by the first line; the name of the file helps where that is neither.
    init(firstLine: [UInt8], name: String) {
        let line = String(decoding: firstLine.prefix(4096), as: UTF8.self).lowercased()
        let lowercasedName = name.lowercased()
        if line.trimmingWhitespace.hasPrefix("begin:") {
            self = .vCard
        } else if [".csv", ".tsv", ".txt"].contains(where: lowercasedName.hasSuffix) {
            self = .table
        } else if [".vcf", ".vcard"].contains(where: lowercasedName.hasSuffix) {
            self = .vCard
        } else {
            // "First Name,Last Name" has a separator before any colon, "FN;CHARSET=UTF-8:Ann" has not "name" in it.
            let separator = line.firstIndex { $0 == "," || $0 == ";" || $0 == "\t" }
            let colon = line.firstIndex(of: ":")
            self = separator.map { index in colon.map { index < $0 } ?? true } ?? false ? .table : .vCard
        }
    }
}

/// The contacts of a source one after another, not yet understood.
struct DraftReader {
    /// A card or a row; understanding it takes the most time and may be done on any thread.
    enum Draft: Sendable {
        case card(VCard)
        case row(CSVReader.Row, ContactColumns)

        /// How large it is, roughly, in bytes.
        var size: Int {
            switch self {
            case .card(let card): card.properties.reduce(0) { $0 + $1.value.utf8.count + 64 }
            case .row(let row, _): row.fields.reduce(0) { $0 + $1.utf8.count + 16 }
            }
        }

        /// - Throws: ``MalformedInput``.
        func record(region: String?) throws -> ImportedRecord {
            switch self {
            case .card(let card):
                if let group = try GroupCard(card) { return .group(group) }
                let contact = try Contact(card, region: region).withoutRepeats
                return .contact(PreparedContact(contact), assumedLine: card.firstAssumedLine)
            case .row(let row, let columns):
                let contact = try Contact(row, columns: columns, region: region)
                return .contact(PreparedContact(contact.withoutRepeats), assumedLine: nil)
            }
        }
    }

    private enum Reader {
        case cards(VCardReader)
        case rows(CSVReader, ContactColumns?)
    }

    private var reader: Reader

    /// - Throws: what the source throws.
    init(_ source: ImportSource) throws {
        let stream = try source.open()
        var head: [UInt8] = []
        func hasLine() -> Bool {
            guard let start = head.firstIndex(where: { $0 > 0x20 }) else { return false }
            return head[start...].contains { $0 == 0x0A || $0 == 0x0D }
        }
        while head.count < 1 << 16, !hasLine(), let piece = try stream.next() { head += piece }
        let start = head.firstIndex { $0 > 0x20 } ?? head.endIndex
        let line = head[start...].prefix { $0 != 0x0A && $0 != 0x0D }
        var first: [UInt8]? = head
        let whole = ByteStream {
            if let bytes = first {
                first = nil
                if !bytes.isEmpty { return bytes }
            }
            return try stream.next()
        }
        switch ImportFormat(firstLine: Array(line), name: source.name) {
        case .vCard: reader = .cards(try VCardReader(whole))
        case .table: reader = .rows(try CSVReader(whole), nil)
        }
    }

    /// The next draft; nil at the end.
    ///
    /// - Throws: ``MalformedInput``, after which the next call goes on behind the fault, or what the source throws.
    mutating func next() throws -> Draft? {
        switch reader {
        case .cards(var cards):
            defer { reader = .cards(cards) }
            return try cards.next().map { .card($0) }
        case .rows(var rows, let known):
            var columns = known
            defer { reader = .rows(rows, columns) }
            if columns == nil {
                guard let header = try rows.next() else { return nil }
                do {
                    columns = try ContactColumns(header: header)
                } catch {
                    // Without columns no row means anything: the file ends here.
                    rows = try CSVReader(ByteStream([]))
                    throw error
                }
            }
            guard let columns, let row = try rows.next() else { return nil }
            return .row(row, columns)
        }
    }
}
