import Testing

@testable import SwitchboardContacts

@Suite("Address books of abook")
struct AbookTests {
    private static let sample = """
        # abook addressbook file

        [format]
        program=abook
        version=0.6.1


        [0]
        name=Ana Lima
        email=ana@example.org,lima@example.org
        phone=0532 123 45 67
        mobile=+44 7700 900177
        nick=An
        address=Rua Nova 3
        city=Porto
        zip=4000-002
        country=Portugal
        url=https://example.org
        notes=likes tea = coffee
        groups=Friends, Sailors
        anniversary=2010-05-20
        custom1=a,b

        [1]
        name=Bo Lee

        """

    private func imported(_ text: String) throws -> (book: ContactBook, report: ImportReport) {
        let book = try emptyBook()
        return (book, try book.importContacts(from: [ImportTests.source(text, name: "addressbook")]))
    }

    @Test("reads all fields, and keeps those of the user")
    func fields() throws {
        let (book, report) = try imported(Self.sample)
        #expect(report.added == 2 && report.skipped.isEmpty)
        let ana = try #require(try book.list().first)
        #expect(ana.displayName == "Ana Lima" && ana.nickname == "An" && ana.note == "likes tea = coffee")
        #expect(ana.emails.map(\.address) == ["ana@example.org", "lima@example.org"])
        #expect(ana.phones.map(\.label) == ["home", "mobile"])
        #expect(ana.phones.last?.number.e164 == "+447700900177")
        #expect(ana.addresses == [PostalAddress(typed: "Rua Nova 3;Porto;;4000-002;Portugal")])
        #expect(ana.urls.map(\.url) == ["https://example.org"])
        #expect(ana.groups == ["Friends", "Sailors"])
        #expect(ana.otherProperties == ["ANNIVERSARY:2010-05-20", "X-ABOOK-CUSTOM1:a\\,b"])
    }

    @Test("importing again changes nothing")
    func again() throws {
        let (book, _) = try imported(Self.sample)
        let report = try book.importContacts(from: [ImportTests.source(Self.sample, name: "addressbook")])
        #expect(report.added == 0 && report.unchanged == 2)
    }

    @Test("a line without a field rejects the file with its position")
    func malformed() throws {
        let (book, report) = try imported(Self.sample + "[2]\nname=Cem\nnonsense\n")
        #expect(report.skipped.map(\.line) == [28])
        #expect(try book.count() == 0)
    }
}
