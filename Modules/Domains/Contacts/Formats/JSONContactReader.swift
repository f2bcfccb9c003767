import Foundation
import SwitchboardErrors
import SwitchboardJSON
import SwitchboardVCard

/// Reads contacts from Switchboard's JSON export one at a time: an object with `results`, an array, or one object per
/// line.
///
/// An element is a contact, or a row with a contact under `contact`. Only the file and one contact are in memory. A
/// malformed contact throws ``MalformedInput``; the next call continues after it.
struct JSONContactReader {
    /// The maximum size of a contact in JSON. Escaping can turn one byte of text into six.
    private static let largestContact = 6 * Contact.largestContact
    private static let deepestList = 8

    /// A list that is being read.
    private struct List {
        /// The end of the object that has the list as `results`; nil for a bare array.
        var endOfObject: Int?
        /// `false` if that object is not closed.
        var isClosed = true
        var needsComma = false
    }

    private let bytes: [UInt8]
    private var position = 0
    private var lists: [List] = []
    /// The last offset whose line was counted, and its line number.
    private var reached = (offset: 0, line: 1)

    /// Creates a reader of a stream and reads all of it.
    init(_ stream: ByteStream) throws {
        bytes = try stream.whole()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Returns the next contact and its line; nil at the end.
    mutating func next() throws -> (contact: Contact, line: Int)? {
        while true {
            skipSpace()
            guard position < bytes.count else {
                if lists.isEmpty { return nil }
                throw failure("the list is not closed; add “]”")
            }
            let byte = bytes[position]
            if let list = lists.last {
                if byte == UInt8(ascii: "]") {
                    try close(list)
                    continue
                }
                if list.needsComma {
                    guard byte == UInt8(ascii: ",") else { throw failure("expected a comma or “]” after a contact") }
                    position += 1
                    lists[lists.count - 1].needsComma = false
                    continue
                }
                lists[lists.count - 1].needsComma = true
            }
            switch byte {
            case UInt8(ascii: "[") where lists.count < Self.deepestList:
                position += 1
                lists.append(List())
            case UInt8(ascii: "{"):
                let (range, results, isClosed) = object()
                if let results, lists.count < Self.deepestList {
                    position = results + 1
                    lists.append(List(endOfObject: range.upperBound, isClosed: isClosed))
                } else {
                    position = range.upperBound
                    // Reports only this error, not also that the enclosing lists are not closed.
                    if !isClosed { lists = [] }
                    return try contact(in: range)
                }
            default: throw failure("expected a contact as a JSON object")
            }
        }
    }

    private mutating func close(_ list: List) throws {
        position += 1
        guard list.isClosed else { throw failure("the object is not closed; add “}”") }
        position = list.endOfObject ?? position
        lists.removeLast()
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }

    /// Returns the range of the object at the position, up to the end of the file if it is not closed, and the offset of
    /// its list `results`.
    private func object() -> (range: Range<Int>, results: Int?, isClosed: Bool) {
        var (offset, depth, results) = (position, 0, Int?.none)
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return (position..<offset + 1, results, true) }
            case UInt8(ascii: "\""):
                let start = offset + 1
                offset = endOfString(from: start)
                if depth == 1, results == nil, bytes[start..<offset].elementsEqual("results".utf8) {
                    results = list(after: offset + 1)
                }
            default: break
            }
            offset += 1
        }
        return (position..<bytes.count, results, false)
    }

    /// Returns the offset of the closing quote, or the end of the file if the string is not closed.
    private func endOfString(from start: Int) -> Int {
        var offset = start
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(offset, bytes.count)
    }

    /// Returns the offset of the list that follows a member name; nil if the value is not a list.
    private func list(after offset: Int) -> Int? {
        var (offset, hasColon) = (offset, false)
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            case UInt8(ascii: ":") where !hasColon: (offset, hasColon) = (offset + 1, true)
            case UInt8(ascii: "[") where hasColon: return offset
            default: return nil
            }
        }
        return nil
    }

    // MARK: - Contacts

    private mutating func contact(in range: Range<Int>) throws -> (contact: Contact, line: Int) {
        let line = line(at: range.lowerBound)
        guard range.count <= Self.largestContact else {
            let error = ContactBookError.tooLong(field: "contact", limit: Contact.largestContact)
            throw MalformedInput(line: line, reason: error.message)
        }
        let text = Array(bytes[range])
        let object: JSONValue
        do throws(JSONSyntaxError) {
            object = try JSONParser.value(of: text)
        } catch {
            throw malformed(at: range.lowerBound + error.offset, error.reason)
        }
        do {
            var contact = try JSONDecoder().decode(ExportedContact.self, from: Data(text)).contact
            // Any other JSON is not an export of contacts.
            if contact.isNameable { try contact.preserveOthers(in: object["contact"] ?? object) }
            return (contact, line)
        } catch let error as DecodingError {
            var reason = error.reason(row: "row")
            // The description from the date decoder is more specific.
            if case .dataCorrupted(let context) = error { reason = context.debugDescription }
            throw MalformedInput(line: line, reason: "cannot read this JSON as an export of contacts: \(reason)")
        }
    }

    /// Returns the line number of an offset. Later calls count on from there.
    private mutating func line(at offset: Int) -> Int {
        if offset > reached.offset {
            reached = (offset, reached.line + bytes[reached.offset..<offset].count { $0 == 0x0A })
        }
        return reached.line
    }

    private mutating func malformed(at offset: Int, _ reason: String) -> MalformedInput {
        let start = bytes[..<min(offset, bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return MalformedInput(line: line(at: min(offset, bytes.count)), column: offset - start + 1, reason: reason)
    }

    /// Ends the iteration and returns an error at the current position.
    private mutating func failure(_ reason: String) -> MalformedInput {
        defer { (position, lists) = (bytes.count, []) }
        return malformed(at: position, reason)
    }
}

/// A contact, either at the top level of an object or under `contact`.
private struct ExportedContact: Decodable {
    let contact: Contact

    private enum CodingKeys: String, CodingKey { case contact }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        contact =
            container.contains(.contact)
            ? try container.decode(Contact.self, forKey: .contact) : try Contact(from: decoder)
    }
}

extension Contact {
    /// Preserves the members of an object that no field has, such as those of another program.
    fileprivate mutating func preserveOthers(in object: JSONValue) throws {
        guard case .object(let members) = object else { return }
        for member in members {
            if !Contact.memberNames.contains(member.name) {
                try preserve(member.value, label: member.name)
            } else if let known = Contact.partNames[member.name], case .array(let elements) = member.value {
                for (index, element) in elements.enumerated() {
                    guard case .object(let parts) = element.value else { continue }
                    for part in parts where !known.contains(part.name) {
                        try preserve(part.value, label: "\(member.name).\(index).\(part.name)")
                    }
                }
            }
        }
    }

    private mutating func preserve(_ value: JSONValue, label: String) throws {
        switch value {
        case .null, .string(""): return
        case .array(let elements) where elements.isEmpty: return
        case .object(let members) where members.isEmpty: return
        case .string(let text): preserve("X-CUSTOM", text, label: label)
        default: preserve("X-CUSTOM", try OrderedJSON.text(value), label: label)
        }
    }

    /// Returns the decoded contact prepared for import.
    func imported(line: Int, region: String?) throws(MalformedInput) -> Contact {
        var contact = self
        // An export has the size of a photo, but not its bytes.
        if contact.photo?.data == nil { contact.photo = nil }
        // A later import of the same export matches the contact by this UID.
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

// MARK: - abook

/// The contacts of an abook address book, which is read all at once.
struct ContactList {
    private var contacts: [(contact: Contact, line: Int)] = []
    private var position = 0

    init() {}

    /// Reads an abook address book.
    init(abook stream: ByteStream) throws {
        contacts = try AbookFile(try stream.whole()).contacts
    }

    /// Returns the next contact and its line; nil at the end.
    mutating func next() -> (contact: Contact, line: Int)? {
        guard position < contacts.count else { return nil }
        defer { position += 1 }
        return contacts[position]
    }
}

/// The address book of abook: sections of `field=value` lines, one per contact after the section `[format]`.
private struct AbookFile {
    /// The contacts with the lines of their sections.
    private(set) var contacts: [(contact: Contact, line: Int)] = []

    init(_ bytes: [UInt8]) throws(MalformedInput) {
        var section: (name: String, line: Int, fields: [(name: String, value: String)])?
        func finish() -> (contact: Contact, line: Int)? {
            guard let section, section.name != "format", !section.fields.isEmpty else { return nil }
            return (Self.contact(of: section.fields), section.line)
        }
        for (index, bytes) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = String(decoding: bytes, as: UTF8.self).removingNulls.trimmingWhitespace
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                if let done = finish() { contacts.append(done) }
                section = (String(line.dropFirst().dropLast()), index + 1, [])
            } else if section != nil, let equals = line.firstIndex(of: "=") {
                let name = String(line[..<equals]).trimmingWhitespace.lowercased()
                let value = String(line[line.index(after: equals)...]).trimmingWhitespace
                if !value.isEmpty { section?.fields.append((name, value)) }
            } else {
                throw MalformedInput(
                    line: index + 1, reason: "an address book of abook has lines of the form field=value")
            }
        }
        if let done = finish() { contacts.append(done) }
    }

    private static func contact(of fields: [(name: String, value: String)]) -> Contact {
        var contact = Contact()
        var address = PostalAddress(label: "", components: [])
        for (name, value) in fields {
            switch name {
            case "name": contact.name = PersonName(splitting: value)
            case "email": contact.emails = list(value).map { Email(address: $0) }
            case "nick": contact.nickname = value
            case "phone": contact.phones.append(Phone(label: "home", number: PhoneNumber(value)))
            case "workphone": contact.phones.append(Phone(label: "work", number: PhoneNumber(value)))
            case "mobile": contact.phones.append(Phone(label: "mobile", number: PhoneNumber(value)))
            case "fax": contact.phones.append(Phone(label: "fax", number: PhoneNumber(value)))
            case "address": address.street = value
            case "address2": address.extended = value
            case "city": address.locality = value
            case "state": address.region = value
            case "zip": address.postalCode = value
            case "country": address.country = value
            case "url": contact.urls = [WebAddress(url: value)]
            case "notes": contact.note = value
            case "groups": contact.groups = list(value)
            case "anniversary" where Birthday(value) != nil: contact.otherProperties.append("ANNIVERSARY:" + value)
            default:
                // User-defined fields, such as custom1.
                let key = name.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
                let text = value.replacing("\\", with: "\\\\").replacing(",", with: "\\,").replacing(";", with: "\\;")
                contact.otherProperties.append("X-ABOOK-\(key):\(text)")
            }
        }
        if address != PostalAddress(label: "", components: []) { contact.addresses = [address] }
        return contact
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { String($0).trimmingWhitespace }.filter { !$0.isEmpty }
    }
}

extension ByteStream {
    /// The maximum size of a file that is read as a whole.
    private static let largestFile = 256 << 20

    fileprivate func whole() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try next() {
            bytes += piece
            guard bytes.count <= Self.largestFile else {
                throw MalformedInput(line: 1, reason: "the file is larger than \(Self.largestFile >> 20) MiB")
            }
        }
        return bytes
    }
}
