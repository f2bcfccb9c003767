import Foundation
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

@Suite("Exporting contacts")
struct ExportTests {
    static var full: Contact {
        var contact = Contact(
            name: PersonName(
                prefix: "Dr.", given: "Anne-Marie", middle: "Ruth", family: "O'Connor; Smith", suffix: "PhD"),
            formattedName: "Anne, Marie \\ \"O'Connor\"")
        contact.nickname = "Annie, Rie"
        contact.phoneticGivenName = "アン"
        contact.phoneticFamilyName = "オコナー"
        contact.organization = "Acme, Inc.; Sons"
        contact.department = "Research; Optics"
        contact.title = "Engineer"
        contact.phones = [
            Phone(label: "mobile", number: PhoneNumber("0532 123 45 67", region: "TR"), isPreferred: true),
            Phone(label: "work fax", number: PhoneNumber("+90 212 555 01 00")),
            Phone(label: "Beach house", number: PhoneNumber("+44 20 7946 0958 ext. 12")),
            Phone(label: "", number: PhoneNumber("112", region: "TR")),
        ]
        contact.emails = [
            Email(label: "home", address: "anne@example.org", isPreferred: true), Email(address: "a,b@example.org"),
            Email(label: "Club, old", address: "c@example.org"),
        ]
        contact.addresses = [
            PostalAddress(label: "home", street: "1 Main St.\nApt 4", locality: "Springfield, IL", country: "USA"),
            PostalAddress(label: "Cabin", box: "12", extended: "rear", region: "BC", postalCode: "V5K"),
        ]
        contact.urls = [WebAddress(label: "Blog", url: "https://example.org/a;b,c")]
        contact.note = "line one\nline; two, three \\ four — " + String(repeating: "、山田太郎", count: 40)
        contact.birthday = "1980-04-15"
        contact.isFavourite = true
        contact.sourceUID = "4FBE-8971"
        contact.otherProperties = [
            "LOGO;ENCODING=b;TYPE=GIF:" + String(repeating: "QUJD", count: 60), "X-ABADR;X-LABEL=Cabin:ca",
            "GENDER:F",
        ]
        contact.groups = ["Family", "Climbing, old"]
        contact.photo = ContactPhoto(Data([0xFF, 0xD8, 0xFF] + Array(repeating: 7, count: 300)))
        return contact
    }

    @Test("a vCard round trip preserves a contact", arguments: ["3.0", "4.0"])
    func vCardRoundTrip(_ version: String) throws {
        let writer = VCardWriter(version: try #require(VCardWriter.Version(rawValue: version)))
        let text = writer.card(of: Self.full)
        #expect(text.hasSuffix("END:VCARD\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        let (contacts, errors) = try readCards(text)
        #expect(errors.isEmpty)
        let unfolded = text.replacingOccurrences(of: "\r\n ", with: "")
        #expect(
            unfolded.contains(version == "4.0" ? "LOGO:data:image/gif;base64,QUJD" : "LOGO;ENCODING=b;TYPE=GIF:QUJD"))
        #expect(
            unfolded.contains(
                version == "4.0" ? "PHOTO:data:image/jpeg;base64,/9j/" : "PHOTO;ENCODING=b;TYPE=JPEG:/9j/"))
        let contact = try #require(contacts.first)
        #expect(differences(contact, Self.full) == [])
    }

    @Test("a CSV round trip preserves a contact")
    func tableRoundTrip() throws {
        var widths = CSVWriter.Widths()
        widths.include(Self.full)
        let writer = CSVWriter(widths: widths)
        var small = Contact(name: PersonName(given: "Bob"))
        small.phones = [Phone(number: PhoneNumber("0532 123 45 68", region: "TR"))]
        let (contacts, errors) = try readTable(
            writer.header + writer.row(of: Self.full) + writer.row(of: small), region: "TR")
        #expect(errors.isEmpty)
        #expect(zip(contacts, [Self.full, small]).flatMap(differences) == [])
    }

    @Test(
        "escapes formulas in CSV reversibly",
        arguments: [
            ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
            ("+WEBSERVICE(A1)", "'+WEBSERVICE(A1)"), ("'=x", "''=x"), ("=\u{301}x", "'=\u{301}x"), ("'tis", "'tis"),
            ("- 5", "- 5"), ("+90 532 123 45 67", "+90 532 123 45 67"), ("Ann", "Ann"),
        ])
    func formulas(_ text: String, _ field: String) throws {
        #expect(FormulaGuard.guarded(text) == field)
        #expect(FormulaGuard.unguarded(field) == text)
        var contact = Contact(name: PersonName(given: text))
        contact.note = text
        contact.sourceUID = text
        let writer = CSVWriter(widths: CSVWriter.Widths())
        let row = writer.row(of: contact)
        #expect(row.hasPrefix(field.contains(",") ? "\"" + field : field))
        #expect(try readTable(writer.header + row, region: "TR").contacts.flatMap { differences($0, contact) } == [])
    }

    @Test("JSON has the keys of the contract and round-trips")
    func json() throws {
        var contact = Self.full
        contact.id = "c1"
        contact.createdAt = Date(timeIntervalSince1970: 1_700_000_000)
        let data = try JSONEncoder().encode(contact)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["name"] as? String == contact.displayName)
        #expect(object["givenName"] as? String == "Anne-Marie")
        #expect(object["favourite"] as? Bool == true)
        #expect(object["createdAt"] as? String == "2023-11-14T22:13:20Z")
        let phone = try #require((object["phones"] as? [[String: Any]])?.first)
        #expect(phone["e164"] as? String == "+905321234567")
        #expect(phone["label"] as? String == "mobile")
        #expect((object["photo"] as? [String: Any])?["size"] as? Int == 303)
        #expect(object["groups"] as? [String] == contact.groups)
        var decoded = try JSONDecoder().decode(Contact.self, from: data)
        #expect(decoded.photo == ContactPhoto(mediaType: "image/jpeg", size: 303))
        decoded.photo = contact.photo
        #expect(decoded == contact)

        let bare = try JSONEncoder().encode(Contact(name: PersonName(given: "Bob")))
        let keys = try #require(try JSONSerialization.jsonObject(with: bare) as? [String: Any]).keys
        #expect(
            Set(["name", "givenName", "familyName", "nickname", "organization", "phones", "emails", "favourite"])
                .isSubset(of: keys))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Contact.self, from: Data(#"{"createdAt": "yesterday"}"#.utf8))
        }
    }
}

/// Returns the differences of two contacts by field.
func differences(_ left: Contact, _ right: Contact) -> [String] {
    zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children).compactMap { left, right in
        let (a, b) = (String(describing: left.value), String(describing: right.value))
        return a == b ? nil : "\(left.label ?? ""): \(a) ≠ \(b)"
    }
}

extension CSVWriter.Widths {
    /// Adds columns for a contact.
    mutating func include(_ contact: Contact) {
        phones = max(phones, contact.phones.count)
        emails = max(emails, contact.emails.count)
        addresses = max(addresses, contact.addresses.count)
        urls = max(urls, contact.urls.count)
    }
}
