import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

@Suite("Names of related people")
struct RelatedNameTests {
    private static let lines = [
        "X-ABRELATEDNAMES;X-LABEL=spouse:Otto Quill", "RELATED;VALUE=text;TYPE=parent:Vera\\, née Lux",
        "RELATED:urn:uuid:f81d4fae", "X-JABBER:hothead@example.org",
    ]

    private static func contact() -> Contact {
        var contact = Contact(name: PersonName(given: "Zoë"))
        contact.otherProperties = lines
        return contact
    }

    @Test("A name that stays keeps its property, and other properties stay")
    func replaced() throws {
        var contact = Self.contact()
        try contact.set(.relatedNames, toTyped: ["Milo; Senior", "Otto Quill", " ", "Milo; Senior"])
        #expect(contact.relatedNames == ["Milo; Senior", "Otto Quill"])
        #expect(
            contact.otherProperties == [
                Self.lines[2], Self.lines[3], "RELATED;VALUE=text:Milo\\; Senior", Self.lines[0],
            ])
        try contact.set(.relatedNames, toTyped: [])
        #expect(contact.otherProperties == [Self.lines[2], Self.lines[3]])
    }

    @Test("The same names change nothing, not even the order of the properties")
    func unchanged() throws {
        var contact = Self.contact()
        try contact.set(.relatedNames, toTyped: ["Otto Quill", "Vera, née Lux"])
        #expect(contact == Self.contact())
    }

    @Test("A name has a maximum size")
    func limit() throws {
        var contact = Self.contact()
        #expect(throws: ContactBookError.tooLong(field: "related name", limit: 1024)) {
            try contact.set(.relatedNames, toTyped: [String(repeating: "a", count: 1025)])
        }
        #expect(contact == Self.contact())
        try contact.set(.relatedNames, toTyped: [String(repeating: "a", count: 1024)])
        #expect(contact.relatedNames.count == 1)
    }

    @Test("Names survive an export and an import", arguments: [VCardWriter.Version.version3, .version4])
    func exported(version: VCardWriter.Version) throws {
        var contact = Self.contact()
        try contact.set(.relatedNames, toTyped: ["Ida, the elder", "Otto Quill"])
        let card = VCardWriter(version: version).card(of: contact)
        let read = try Contact(VCard(onlyOneIn: Array(card.utf8)), region: nil)
        #expect(read.relatedNames.sorted() == ["Ida, the elder", "Otto Quill"])
    }
}
