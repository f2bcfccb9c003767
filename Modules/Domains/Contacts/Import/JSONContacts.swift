import Foundation
import SwitchboardErrors
import SwitchboardJSON
import SwitchboardVCard

/// The contacts of a file that is read as a whole.
struct ContactList {
    /// The maximum size of a file, which is read as a whole.
    private static let largestFile = 256 << 20

    private var contacts: [(contact: Contact, line: Int)] = []
    private var position = 0

    /// Creates a list without contacts.
    init() {}

    /// Reads our own JSON export: an object with `results`, an array, or one object per line.
    ///
    /// An element is a contact, or a row with a contact under `contact`.
    init(json stream: ByteStream) throws {
        let bytes = try Self.bytes(of: stream)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let texts = lines.indices.filter { lines[$0].contains { $0 > 0x20 } }
        let isPerLine = texts.count > 1 && texts.allSatisfy { lines[$0].first { $0 > 0x20 } == UInt8(ascii: "{") }
        if isPerLine, (try? JSONParser.value(of: Array(lines[texts[0]]))) != nil {
            for index in texts { try read(Array(lines[index]), line: index + 1) }
        } else {
            try read(bytes, line: 1)
        }
    }

    /// Reads the address book of abook.
    init(abook stream: ByteStream) throws {
        contacts = try AbookFile(try Self.bytes(of: stream)).contacts
    }

    private static func bytes(of stream: ByteStream) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try stream.next() {
            bytes += piece
            guard bytes.count <= largestFile else {
                throw MalformedInput(line: 1, reason: "the file is larger than \(largestFile >> 20) MiB")
            }
        }
        return bytes
    }

    /// Returns the next contact and its line; nil at the end.
    mutating func next() -> (contact: Contact, line: Int)? {
        guard position < contacts.count else { return nil }
        defer { position += 1 }
        return contacts[position]
    }

    private mutating func read(_ bytes: [UInt8], line: Int) throws {
        do throws(JSONSyntaxError) {
            _ = try JSONParser.value(of: bytes)
        } catch {
            let before = bytes.prefix(error.offset)
            let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            throw MalformedInput(
                line: line + before.count { $0 == 0x0A }, column: error.offset - start + 1, reason: error.reason)
        }
        do {
            let read = try JSONDecoder().decode(ExportedContacts.self, from: Data(bytes))
            contacts += read.contacts.map { ($0, line) }
        } catch let error as DecodingError {
            throw MalformedInput(line: line, reason: "this JSON is no export of contacts: \(error.place)")
        }
    }
}

/// The contacts of a decoded value.
private struct ExportedContacts: Decodable {
    var contacts: [Contact] = []

    private enum CodingKeys: String, CodingKey { case results, contact }

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { contacts += try list.decode(ExportedContacts.self).contacts }
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.results) {
            contacts = try container.decode([ExportedContacts].self, forKey: .results).flatMap(\.contacts)
        } else if container.contains(.contact) {
            contacts = [try container.decode(Contact.self, forKey: .contact)]
        } else {
            contacts = [try Contact(from: decoder)]
        }
    }
}

extension Contact {
    /// Returns a decoded contact as it is imported.
    func imported(line: Int, region: String?) throws(MalformedInput) -> Contact {
        var contact = self
        // An export names the size of a photo, but has not its bytes.
        if contact.photo?.data == nil { contact.photo = nil }
        // A later import of the same export finds the contact by this.
        if contact.sourceUID.isEmpty { contact.sourceUID = id }
        contact.id = ""
        (contact.createdAt, contact.modifiedAt) = (nil, nil)
        for index in contact.phones.indices where contact.phones[index].number.e164 == nil {
            contact.phones[index].number = PhoneNumber(contact.phones[index].number.text, region: region)
        }
        guard contact.isNameable else {
            throw MalformedInput(line: line, reason: "the contact has no name, organisation, e-mail address or number")
        }
        return contact
    }
}

extension DecodingError {
    /// The path of the value and the problem, in one line.
    fileprivate var place: String {
        let (path, problem): ([any CodingKey], String) =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context.codingPath, context.debugDescription)
            case .keyNotFound(let key, let context): (context.codingPath, "\(key.stringValue) is missing")
            @unknown default: ([], "it cannot be decoded")
            }
        let keys = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        return (keys.isEmpty ? "" : keys + ": ") + problem
    }
}
