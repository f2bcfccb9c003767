import SwitchboardBadges
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Actions")
struct ActionTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let switchboard = scratchSwitchboard()

    /// Does the edits that were asked for.
    mutating func perform(_ requests: [Request]) throws {
        for case .perform(let edit, let isUndo) in requests {
            do {
                let edited = try switchboard.perform(edit)
                _ = interface.handle(.edited(edited, isUndo: isUndo))
            } catch StorageError.accessNotGranted(let subject, let status, let purpose) {
                _ = interface.handle(
                    .needsAccess(subject, status, purpose: purpose, retry: .perform(edit, isUndo: isUndo)))
            } catch {
                _ = interface.handle(.failed(Fault(error).description))
            }
        }
    }

    @Test("A contact is added, edited, made a favourite, called and removed, each of which can be undone")
    mutating func contacts() throws {
        interface.go(to: "2", [])
        interface.press(.escape, .character("a"))
        interface.type("Ada Lovelace")
        interface.press(.tab, .tab, .tab)
        interface.type("work:+44 7700 900199")
        #expect(interface.screen().text.contains("Phone"))
        try perform(interface.press(.control("s")))
        var contact = try #require(try switchboard.contacts.list().first)
        #expect(contact.displayName == "Ada Lovelace" && contact.phones.first?.label == "work")
        interface.answer(interface.handle(.changed([])), [Row(.result(SearchResult(contact)))])

        try perform(interface.press(.character("f")))
        #expect(try switchboard.contacts.contact(contact.id).isFavourite)
        try perform(interface.press(.character("u")))
        #expect(try !switchboard.contacts.contact(contact.id).isFavourite)

        interface.press(.character("e"), .end)
        interface.type(" King")
        try perform(interface.press(.control("s")))
        contact = try switchboard.contacts.contact(contact.id)
        #expect(contact.displayName == "Ada Lovelace King" && contact.phones.count == 1)
        try perform(interface.press(.character("u")))
        #expect(try switchboard.contacts.contact(contact.id).displayName == "Ada Lovelace")

        try perform(interface.press(.character("c")))
        #expect(try switchboard.contacts.contact(contact.id).callCount == 1)

        try perform(interface.press(.character("d")))
        #expect(try switchboard.contacts.count() == 0)
        try perform(interface.press(.character("u")))
        let back = try switchboard.contacts.contact(contact.id)
        #expect(back.callCount == 1 && back.phones.first?.number.e164 == "+447700900199")
    }

    @Test("A prospect is ticked off and reminded of after consent; both can be undone, with the reminder")
    mutating func prospects() throws {
        let row = try prospectRow("Ana", in: switchboard)
        let id = try #require(row.result?.id)
        interface.go(to: "3", [row])
        interface.press(.escape)
        try perform(interface.press(.character("r")))
        #expect(interface.screen().text.contains("Allow notifications?"))
        let granted = interface.press(.character("y"))
        guard case .grant(.notifications, true, let retry?)? = granted.first else {
            Issue.record("\(granted)")
            return
        }
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        try perform([retry])
        let reminder = try #require(try switchboard.reminders.pending(of: id))
        #expect(interface.lines.last?.contains("Contact Ana: \(reminder.localTime)") ?? false)

        try perform(interface.press(.character(" ")))
        #expect(try switchboard.prospects.prospect(id).isContacted)
        #expect(try switchboard.reminders.pending(of: id) == nil)
        try perform(interface.press(.character("u")))
        #expect(try !switchboard.prospects.prospect(id).isContacted)
        #expect(try switchboard.reminders.pending(of: id)?.dueAt == reminder.dueAt)

        try perform(interface.press(.character("d")))
        #expect(try switchboard.prospects.count() == 0)
        try perform(interface.press(.character("u")))
        #expect(try switchboard.prospects.count() == 1)
        #expect(try switchboard.reminders.pending(of: id)?.dueAt == reminder.dueAt)

        // The reminder itself was set by the first action.
        try perform(interface.press(.character("u")))
        #expect(try switchboard.reminders.pending(of: id) == nil)
    }

    @Test("Consent that is refused is remembered, and one that is not given is asked for again")
    mutating func refusal() throws {
        let row = try prospectRow("Ana", in: switchboard)
        interface.go(to: "3", [row])
        interface.press(.escape)
        try perform(interface.press(.character("r")))
        let outcome = interface.press(.escape)
        #expect(outcome.isEmpty)
        try perform(interface.press(.character("r")))
        guard case .grant(.notifications, false, nil)? = interface.press(.character("n")).first else {
            Issue.record("nothing was asked")
            return
        }
        try switchboard.storage.setStatus(.denied, of: .notifications)
        try perform(interface.press(.character("r")))
        #expect(interface.lines.last?.contains("denied") ?? false)
        #expect(interface.layers.isEmpty)
    }

    @Test("What is refused is shown again with what was typed")
    mutating func refusedForm() throws {
        interface.go(to: "3", [])
        interface.press(.escape, .character("a"))
        interface.type("Ana")
        interface.press(.tab)
        interface.type("no address")
        try perform(interface.press(.control("s")))
        #expect(interface.screen().text.contains("no address"))
        #expect(interface.layers.count == 1)
        interface.press(.escape)
        #expect(interface.layers.isEmpty)
        // What was left can be brought back.
        interface.press(.character("u"))
        #expect(interface.screen().text.contains("no address"))
    }

    @Test("A reminder at another time is read as the command line reads it")
    mutating func remindAt() throws {
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        let row = try prospectRow("Ana", in: switchboard)
        interface.go(to: "3", [row])
        interface.press(.escape, .character("R"))
        interface.type("soon")
        let outcome2 = interface.press(.enter)
        #expect(outcome2.isEmpty)
        #expect(interface.lines.last?.contains("is no time") ?? false)
        interface.press(.control("u"))
        interface.type("2h")
        try perform(interface.press(.enter))
        #expect(try switchboard.reminders.list([.pending]).count == 1)
    }

    @Test("A due reminder has a line of its own, and is answered")
    mutating func due() throws {
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        let row = try prospectRow("Ana", in: switchboard)
        let id = try #require(row.result?.id)
        let reminder = try switchboard.remind(of: id, at: .nextNine).reminder
        _ = interface.handle(.due(reminder))
        #expect(interface.lines[22].contains("Contact Ana"))
        interface.press(.alt("!"), .down)
        let answer = interface.press(.enter)
        guard case .answer(let answered, .inAnHour?)? = answer.first else {
            Issue.record("\(answer)")
            return
        }
        #expect(answered.id == reminder.id)
        #expect(!interface.screen().text.contains("Contact Ana"))
    }

    @Test("My badge is a code that can be read from the screen, or it says how large the screen must be")
    mutating func badge() throws {
        let me = MyDetails(name: "Łukasz Nowak", email: "lukasz@example.org", organization: "Vandelay")
        let code = try QRCode(Badge(me).vCard)
        interface = Interface(size: Size(columns: 120, rows: 40))
        interface.press(.escape, .character("b"))
        _ = interface.handle(.badge(.code(me, code)))
        let picture = ScreenPicture(interface.screen()).picture
        let read = try BadgeReader().read(picture)
        #expect(try read.first?.badge.get().email == "lukasz@example.org")

        _ = interface.handle(.resized(Size(columns: 40, rows: 12)))
        let (columns, rows) = code.textSize
        #expect(interface.screen().text.contains("\(columns) columns and \(rows + 1) rows"))
    }

    @Test("A path is completed as far as it goes, then chosen")
    mutating func completion() {
        interface.press(.escape, .character("s"))
        interface.type("ba")
        guard case .complete("ba")? = interface.press(.tab).first else {
            Issue.record("nothing was asked")
            return
        }
        _ = interface.handle(.completed(["badges/", "badge.png"], for: "ba"))
        #expect(interface.screen().text.contains("badges/"))
        interface.press(.tab, .tab)
        guard case .scan("badge.png")? = interface.press(.enter).first else {
            Issue.record("nothing was scanned")
            return
        }
    }

    @Test("Going on with an activity leads where it leads")
    mutating func continuing() {
        let requests = interface.handle(.continued(open: "switchboard://find/rio", title: "rio"))
        #expect(interface.tab == .find && interface.line.text == "rio")
        #expect(requests.searches.last?.text == "rio")
        let place = interface.handle(.continued(open: "switchboard://contact/x1", title: "Ana"))
        guard case .read(let read, true)? = place.first else {
            Issue.record("\(place)")
            return
        }
        #expect(read.id == "x1")
    }
}
