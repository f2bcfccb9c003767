import Foundation
import SwitchboardErrors
import SwitchboardJSON
import SwitchboardVCard

extension JSONRecord {
    /// The maximum size of a contact in JSON. Escaping can turn one byte of text into six.
    private static let largestContact = 6 * Contact.largestContact

    /// Returns a reader of contacts in Switchboard's JSON export: an object with `results`, an array, or one object per
    /// line.
    static func reader(ofContactsIn stream: ByteStream) -> JSONRecordReader {
        JSONRecordReader(of: "a contact", in: "results", upTo: 64 << 20) { try stream.next() }
    }

    /// Returns the contact that is the object, or is under `contact` in it.
    func contact() throws(MalformedInput) -> Contact {
        func failure(_ reason: String) -> MalformedInput { MalformedInput(line: place.line, reason: reason) }
        guard bytes.count <= Self.largestContact else {
            throw failure(ContactBookError.tooLong(field: "contact", limit: Contact.largestContact).message)
        }
        let object = try value()
        do {
            var contact = try JSONDecoder().decode(ExportedContact.self, from: Data(bytes)).contact
            // Any other JSON is not an export of contacts.
            if contact.isNameable { try contact.preserveOthers(in: object["contact"] ?? object) }
            return contact
        } catch {
            var reason = (error as? DecodingError)?.reason(row: "row") ?? "\(error)"
            // The description from the date decoder is more specific.
            if case .dataCorrupted(let context)? = error as? DecodingError { reason = context.debugDescription }
            throw failure("cannot read this JSON as an export of contacts: \(reason)")
        }
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
