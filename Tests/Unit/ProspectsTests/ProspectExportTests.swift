import Foundation
import SwitchboardStorage
import SwitchboardVCard
import Testing

@testable import SwitchboardProspects

@Suite("Exporting prospects")
struct ProspectExportTests {
    private func exported(_ format: ProspectFormat, _ filter: ProspectFilter = .everyone) throws -> String {
        let list = try emptyList()
        try list.add(
            Prospect(
                name: "José; Ñ", email: "jose@example.org", phone: "020 7946 0123", organization: "A, \"B\"",
                note: "one\ntwo", met: "Oslo"))
        let bo = try list.add(Prospect(phone: "+44 20 7946 0124", organization: "=1+1", note: "-2+cmd|' /C calc'!A0"))
            .prospect
        try list.setContacted([bo.id])
        var text = ""
        try list.export(format, filter) { text += $0 }
        return text
    }

    @Test("Exported vCards are parsed by the vCard reader", arguments: [ProspectFormat.vcard3, .vcard4])
    func cards(_ format: ProspectFormat) throws {
        let text = try exported(format)
        var reader = try VCardReader(ByteStream(Array(text.utf8)))
        var cards: [VCard] = []
        while let card = try reader.next() { cards.append(card) }
        #expect(cards.count == 2)
        let card = try #require(cards.last)
        #expect(card.version == (format == .vcard3 ? "3.0" : "4.0"))
        func value(_ name: String) -> String? { card.properties.first { $0.name == name }?.text }
        #expect(value("FN") == "José; Ñ")
        #expect(value("EMAIL") == "jose@example.org")
        #expect(value("ORG") == "A, \"B\"")
        #expect(value("NOTE") == "one\ntwo\nMet: Oslo")
        #expect(card.properties.first { $0.name == "N" }?.components.first == "Ñ")
    }

    @Test("CSV fields are quoted where necessary and never read as formulas")
    func table() throws {
        let lines = try exported(.csv).components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("id,name,email,"))
        #expect(lines[1].contains(",+44 20 7946 0124,'=1+1,'-2+cmd|"))
        #expect(lines[2].contains("\"José; Ñ\",jose@example.org,020 7946 0123,\"A, \"\"B\"\"\",\"one\ntwo\",Oslo,no"))
    }

    @Test("A filter applies to the export")
    func filter() throws {
        #expect(try exported(.vcard3, .uncontacted).components(separatedBy: "BEGIN:VCARD").count == 2)
    }
}
