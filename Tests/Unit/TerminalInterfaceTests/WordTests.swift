import Foundation
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import Testing

@testable import SwitchboardTerminalInterface

/// The words of the terminal interface, whose edits and details the command line shares, and those of the web page.
@Suite("The same words on the page")
struct WordTests {
    /// The quoted texts of a section of the page's texts.
    private static func texts(_ section: String) throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let file = root.appending(path: "Apps/switchboard-server/CWebPage/page/scripts/texts.js")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.firstRange(of: try Regex("\n(    \(section):|const \(section) =) \\{\n")))
        let end = try #require(text[start.upperBound...].firstRange(of: /\n( {4}},|};)\n/))
        let quoted = text[start.upperBound..<end.lowerBound].matches(of: /["`]([^"`]*)["`]/)
        return Set(quoted.map { String($0.1).replacing("${name}", with: "Ana") })
    }

    @Test("The fields of contacts, prospects and badges have one name")
    func fields() throws {
        // A form of the terminal has a field for each group.
        let contact = Set(Form(.contact(Contact())).fields.map(\.label)).subtracting(["Name", "Group"])
        #expect(contact.subtracting(try Self.texts("contacts").union(Self.texts("rareFields"))) == [])
        let prospect = Set(Form(.newProspect).fields.map(\.label))
        #expect(prospect.subtracting(try Self.texts("prospects")) == [])
        let badge = Set(Form(.me(MyDetails())).fields.map(\.label))
        #expect(badge.subtracting(try Self.texts("badge")) == [])
    }

    @Test("Filters, orders and the answers to reminders have one name")
    func states() throws {
        let prospects = try Self.texts("prospects")
        for filter in ProspectFilter.allCases { #expect(prospects.contains(filter.rawValue.capitalized)) }
        #expect(prospects.contains("Recently met first") && prospects.contains("By name"))
        let reminders = try Self.texts("reminders")
        for choice in ReminderChoice.allCases { #expect(reminders.contains(choice.label)) }
        #expect(reminders.contains("Dismiss"))
    }

    @Test("Edits are reported in the same words")
    func edits() throws {
        let switchboard = scratchSwitchboard()
        var change = ProspectChange()
        (change.name, change.email) = ("Ana", "ana@example.org")
        let added = try switchboard.perform(.addProspect(change))
        let id = try #require(added.link?.id)
        let messages = try [
            switchboard.perform(.setContacted(id, to: true, reminder: nil)),
            switchboard.perform(.setContacted(id, to: false, reminder: nil)), switchboard.perform(.removeProspect(id)),
        ].map(\.message)
        #expect(Set(messages).subtracting(try Self.texts("prospects")) == [])
        let contact = try switchboard.contacts.add(Contact(name: PersonName(given: "Ana")))
        let removed = try switchboard.perform(.removeContact(contact.id)).message
        #expect(try Self.texts("contacts").contains(removed))
        #expect(try Self.texts("scan").contains(added.message))
    }
}
