import SwitchboardAlgorithms
import SwitchboardErrors
import SwitchboardVCard

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
