import Foundation
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Exports of address books with fictitious people (`Samples`).
enum Samples {
    static let cards = [
        "android", "evolution", "google", "icloud-groups", "iphone", "japanese-phone", "old-phone", "outlook",
        "thunderbird",
    ]
    static let tables = ["google", "outlook", "thunderbird"]

    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Samples/" + name, withExtension: nil))
        return Array(try Data(contentsOf: url))
    }
}

@Suite("Exports of other address books")
struct SampleExportTests {
    private func book(of name: String, region: String = "DE") throws -> (book: ContactBook, contacts: [Contact]) {
        let book = try emptyBook(region: region)
        let report = try book.importContacts(from: [.bytes(try Samples.bytes(name), name: name)])
        #expect(report.skipped == [])
        return (book, try book.list().map { try book.contact($0.id) })
    }

    @Test(
        "imports the file, and exports preserve the contacts",
        arguments: Samples.cards.map { $0 + ".vcf" } + Samples.tables.map { $0 + ".csv" })
    func whole(_ name: String) throws {
        let (book, contacts) = try book(of: name)
        let again = try book.importContacts(from: [.bytes(try Samples.bytes(name), name: name)])
        #expect(again.added == 0 && again.merged == 0 && again.unchanged > 0)
        for format in [ExportFormat.vcard3, .vcard4, .csv] {
            var text = ""
            try book.export(format) { text += $0 }
            let source = ImportSource.bytes(Array(text.utf8), name: "export." + (format == .csv ? "csv" : "vcf"))
            let same = try book.importContacts(from: [source])
            // Also group cards with members that match no contact.
            let groups = format == .csv ? 0 : try book.groups().filter { $0.unknown != nil }.count
            #expect(same.skipped == [] && same.unchanged == contacts.count + groups, "\(format): \(same)")
            let other = try emptyBook(region: "DE")
            #expect(try other.importContacts(from: [source]).added == contacts.count, "\(format)")
            for (old, new) in zip(contacts, try other.list().map { try other.contact($0.id) }) {
                var new = new
                new.id = old.id
                if old.sourceUID.isEmpty { new.sourceUID = "" }
                // CSV does not preserve vendor data.
                let expected = format == .csv ? old.withoutVendorData : old
                #expect(differences(expected, format == .csv ? new.withoutVendorData : new) == [], "\(format)")
            }
        }
    }

    @Test("Android: quoted-printable, custom labels, a number without a name")
    func android() throws {
        let contacts = try book(of: "android.vcf", region: "TR").contacts
        #expect(contacts.map(\.displayName) == ["+905005550105", "Şule Kırlangıç", "Tamirci"])
        let contact = contacts[1]
        #expect(contact.phones.map(\.label) == ["mobile", "home", "Yaz evi", "Köy evi"])
        #expect(
            contact.phones.map(\.number.e164) == ["+905005550101", "+902165550102", "+902525550103", "+903125550104"])
        #expect(contact.nickname == "Şulé" && contact.birthday == "--02-29")
        #expect(contact.organization == "Göçmen Kuşlar Derneği" && contact.department == "Gözlem")
        #expect(contact.addresses.first?.street == "Çınar Sokağı 7, daire 3, üçüncü kapı sağda")
        #expect(contact.note.hasPrefix("Birinci satır: a = b\nİkinci satır;"))
        #expect(contact.photo?.isShowable == true && contact.photo?.mediaType == "image/jpeg")
        #expect(contact.otherProperties.count == 2)
    }

    @Test("iPhone: labels of groups, an organisation, relations, a cropped photo")
    func iPhone() throws {
        let contacts = try book(of: "iphone.vcf").contacts
        #expect(contacts.map(\.displayName) == ["Harbour Office", "Dr. Imogen Rose Fairweather MBE", "山田 桜"])
        let contact = contacts[1]
        #expect(contact.phones.map(\.label) == ["mobile", "mobile", "School", "home fax"])
        #expect(contact.emails.map(\.label) == ["home", "Lighthouse"])
        #expect(contact.urls.map(\.url) == ["https://example.org/lamps?a=1,2"] && contact.urls[0].label == "HomePage")
        #expect(contact.organization == "Lantern & Moth, Ltd." && contact.birthday == "--02-29")
        #expect(contact.groups == ["Lamps", "Friends, old"])
        #expect(contact.photo?.isShowable == true)
        #expect(contact.otherProperties.contains("X-ABDATE;TYPE=pref;X-LABEL=Anniversary:2011-06-18"))
        #expect(contacts[0].organization == "Harbour Office" && contacts[0].name.isEmpty)
        #expect(contacts[2].phoneticName == "さくら やまだ")
        var text = ""
        try book(of: "iphone.vcf").book.export(.vcard3) { text += $0 }
        #expect(text.contains("X-ABLabel:_$!<Anniversary>!$_\r\n") && text.contains("X-ABLabel:Lighthouse\r\n"))
    }

    @Test("Outlook: Windows-1252, empty lines after quoted-printable and base64")
    func outlook() throws {
        let contact = try #require(try book(of: "outlook.vcf").contacts.first)
        #expect(contact.displayName == "Frau Dr. Käthe Grünspecht")
        #expect(contact.note == "Erste Zeile\nZweite Zeile mit € 5,- Gebühr\n")
        #expect(contact.phones.map(\.label) == ["work", "work", "home", "mobile", "work fax"])
        #expect(contact.phones.allSatisfy { $0.number.e164 != nil })
        #expect(contact.birthday == "1971-03-03" && contact.photo != nil)
        #expect(contact.otherProperties.contains { $0.hasPrefix("X-MS-CARDPICTURE;") })
    }

    @Test("Google, Thunderbird, Evolution: categories, labels, numbers as URIs, other scripts")
    func others() throws {
        let google = try book(of: "google.vcf").contacts
        #expect(google.map(\.displayName) == ["noreply@example.net", "Tomás Peregrino Luz"])
        #expect(google[1].isFavourite && google[1].groups == ["Familia"])
        #expect(google[1].addresses.map(\.label) == ["Casa de campo"] && google[1].organization == "Faros del Sur")
        let thunderbird = try book(of: "thunderbird.vcf").contacts
        #expect(
            thunderbird.map(\.displayName) == ["Маячна компанія", "Оксана Іванівна Голуб"].sorted()
                || thunderbird.count == 2)
        let oksana = try #require(thunderbird.first { $0.nickname == "Ксеня" })
        #expect(oksana.phones.map(\.number.e164) == ["+380440000481", "+380500000482", "+380440000483"])
        #expect(oksana.groups == ["Друзі", "Робота"] && oksana.photo?.mediaType == "image/png")
        #expect(oksana.otherProperties.contains("N;ALTID=1;LANGUAGE=en:Holub;Oksana;;;"))
        #expect(thunderbird.contains { $0.organization == "Маячна компанія" })
        let evolution = try #require(try book(of: "evolution.vcf").contacts.first)
        #expect(evolution.phones.map(\.label) == ["work", "mobile", "home fax"])
        #expect(evolution.department == "Vorstand; Raum 12" && evolution.groups == ["Verein", "Segeln"])
        #expect(evolution.photo?.mediaType == "image/png")
    }

    @Test("Old phones: Shift_JIS, phonetic names, undeclared quoted-printable, an agent")
    func telephones() throws {
        let japanese = try book(of: "japanese-phone.vcf", region: "JP").contacts
        #expect(Set(japanese.map(\.displayName)) == ["灯台　守", "海野 汐里", "Rene van der Duin"])
        #expect(japanese.contains { $0.phoneticName == "しおり うんの" })
        let old = try book(of: "old-phone.vcf", region: "NL").contacts
        #expect(old.map(\.displayName) == ["Toren Vuur", "Лидия Маяк"])
        #expect(old[0].otherProperties == ["TEL;TYPE=x-handle:@vuurtoren"])
        #expect(old[1].note == "первая строка" && old[1].photo?.isShowable == true)
        #expect(old[1].otherProperties.contains { $0.hasPrefix("AGENT:BEGIN:VCARD\\n") })
    }

    @Test("exports unresolved group members and resolves them on a later import")
    func unresolvedMembers() throws {
        let card = """
            BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Crew, old\nMEMBER:urn:uuid:z-1\nMEMBER:mailto:Zoe@example.org
            MEMBER:http://example.org/z\nEND:VCARD\n
            """
        let book = try emptyBook()
        let source = ImportSource.bytes(Array(card.utf8), name: "crew.vcf")
        #expect(try book.importContacts(from: [source]).merged == 1)
        #expect(try book.importContacts(from: [source]).unchanged == 1)
        #expect(try book.groups() == [ContactGroup(name: "Crew, old", count: 0, unknown: 3)])
        #expect(try book.list(group: "crew, old").isEmpty)
        for format in [ExportFormat.vcard3, .vcard4] {
            var text = ""
            #expect(try book.export(format) { text += $0 } == 0)
            let other = try emptyBook()
            _ = try other.importContacts(from: [.bytes(Array(text.utf8), name: "export.vcf")])
            #expect(try other.groups() == book.groups())
        }
        let people = """
            BEGIN:VCARD\nFN:Zed One\nUID:z-1\nEND:VCARD\nBEGIN:VCARD\nFN:Zoe Two\nEMAIL:zoe@example.org\nEND:VCARD\n
            """
        _ = try book.importContacts(from: [.bytes(Array(people.utf8), name: "people.vcf")])
        #expect(try book.list(group: "Crew, old").map(\.displayName) == ["Zed One", "Zoe Two"])
        #expect(try book.groups() == [ContactGroup(name: "Crew, old", count: 2, unknown: 1)])
        #expect(try book.forgetUnknownMembers() == 1)
        #expect(try book.groups() == [ContactGroup(name: "Crew, old", count: 2, unknown: nil)])
    }

    @Test("group cards add members anywhere in the file")
    func groupCards() throws {
        let (book, contacts) = try book(of: "icloud-groups.vcf")
        #expect(contacts.map(\.displayName) == ["Elias Thorne", "Ngozi Okafor"])
        #expect(contacts.allSatisfy { $0.groups == ["Rowing club", "Choir"] })
        #expect(
            try book.groups() == [
                ContactGroup(name: "Choir", count: 2, unknown: nil),
                ContactGroup(name: "Rowing club", count: 2, unknown: 1),
            ])
        let report = try book.importContacts(from: [
            .bytes(Array("BEGIN:VCARD\nKIND:group\nEND:VCARD\n".utf8), name: "nameless.vcf")
        ])
        #expect(report.skipped.map(\.reason) == ["the group has no name; add a property FN"])
    }
}
