import SwitchboardContacts
import Testing

@testable import SwitchboardKit

@Suite("Contact changes")
struct ContactChangeTests {
    static func changed(_ contact: Contact = Contact(), _ fill: (inout ContactChange) -> Void) throws -> Contact {
        var contact = contact
        var change = ContactChange()
        fill(&change)
        try change.apply(to: &contact, region: "US")
        return contact
    }

    @Test("A whole name is split, and displayed as typed unless it is inverted")
    func wholeName() throws {
        let plain = try Self.changed { $0.name = "Carmen Luz Diaz" }
        #expect(plain.name.family == "Diaz")
        #expect(plain.displayName == "Carmen Luz Diaz")
        let reversed = try Self.changed { $0.name = "Diaz, Carmen Luz" }
        #expect(reversed.displayName == "Carmen Luz Diaz")
        let spaced = try Self.changed { $0.name = "山田 太郎" }
        #expect(spaced.displayName == "山田 太郎")
        #expect(spaced.name.family == "山田")
    }

    @Test("Parts take precedence over the whole name")
    func parts() throws {
        let contact = try Self.changed {
            $0.name = "Carmen Luz Diaz"
            $0[.familyName] = "Ortiz"
        }
        #expect(contact.displayName == "Carmen Luz Ortiz")
        let later = try Self.changed(contact) { $0[.givenName] = "Ana" }
        #expect(later.displayName == "Ana Luz Ortiz")
    }

    @Test("Nil leaves a field unchanged, an empty value removes it")
    func partial() throws {
        let first = try Self.changed {
            $0[.givenName] = "Ana"
            $0[.nickname] = "An"
            $0.phones = ["work:+1 212 555 0123", "0212 555 0100"]
            $0.emails = ["home:ana@example.org"]
            $0.isFavourite = true
        }
        #expect(first.phones.map(\.label) == ["work", ""])
        #expect(first.phones.first?.number.e164 == "+12125550123")
        #expect(first.emails.first?.label == "home")
        let second = try Self.changed(first) { $0[.nickname] = "" }
        #expect(second.nickname == "")
        #expect(second.phones == first.phones)
        #expect(second.isFavourite)
        let third = try Self.changed(second) { $0.phones = [""] }
        #expect(third.phones.isEmpty)
        #expect(third.emails == first.emails)
    }

    @Test("A number without digits and an address without @ are rejected")
    func refused() {
        #expect(throws: SwitchboardError.self) { try Self.changed { $0.phones = ["work:none"] } }
        #expect(throws: SwitchboardError.self) { try Self.changed { $0.emails = ["ana"] } }
    }
}
