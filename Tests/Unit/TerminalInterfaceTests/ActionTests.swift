import SwitchboardBadges
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Actions")
struct ActionTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let switchboard = scratchSwitchboard()

    /// Performs the requested edits and handles the responses.
    mutating func perform(_ requests: [Request]) throws {
        for case .perform(let edit, let isUndo) in requests {
            do {
                let edited = try switchboard.perform(edit)
                _ = interface.handle(.edited(edited, isUndo: isUndo))
            } catch StorageError.accessNotGranted(let subject, let status, let purpose) {
                _ = interface.handle(
                    .needsAccess(subject, status, purpose: purpose, retry: .perform(edit, isUndo: isUndo)))
            } catch {
                let request = Request.perform(edit, isUndo: isUndo)
                _ = interface.handle(.failed(SwitchboardError(error).description, of: request))
            }
        }
    }

    @Test("Adding, editing, favouring, calling and removing a contact can each be undone")
    mutating func contacts() throws {
        interface.go(to: "2", [])
        interface.press(.escape, .alt("a"))
        interface.type("Ada Lovelace")
        interface.press(.tab, .tab, .tab)
        interface.type("work:+44 7700 900199")
        #expect(interface.screen().text.contains("Phone"))
        try perform(interface.press(.control("s")))
        var contact = try #require(try switchboard.contacts.list().first)
        #expect(contact.displayName == "Ada Lovelace" && contact.phones.first?.label == "work")
        interface.answer(interface.handle(.changed([])), [Row(.result(SearchResult(contact)))])

        try perform(interface.press(.alt("f")))
        #expect(try switchboard.contacts.contact(contact.id).isFavourite)
        try perform(interface.press(.alt("u")))
        #expect(try !switchboard.contacts.contact(contact.id).isFavourite)

        interface.press(.alt("e"), .end)
        interface.type(" King")
        try perform(interface.press(.control("s")))
        contact = try switchboard.contacts.contact(contact.id)
        #expect(contact.displayName == "Ada Lovelace King" && contact.phones.count == 1)
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.contact(contact.id).displayName == "Ada Lovelace")

        try perform(interface.press(.alt("c")))
        #expect(try switchboard.contacts.contact(contact.id).callCount == 1)
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.contact(contact.id).callCount == 0)
        try perform(interface.press(.alt("c")))

        // Removing asks first, and undo stays in view.
        #expect(interface.press(.alt("d")).isEmpty)
        #expect(interface.screen().text.contains("Remove Ada Lovelace?"))
        #expect(interface.press(.enter).isEmpty && interface.overlays.isEmpty)
        try perform(interface.press(.alt("d"), .alt("d")))
        #expect(try switchboard.contacts.count() == 0)
        #expect(interface.lines.last == "Ada Lovelace removed; Alt-u undoes")
        interface.press(.down)
        #expect(interface.lines.last?.hasPrefix("Alt-u undo") ?? false)
        try perform(interface.press(.alt("u")))
        let back = try switchboard.contacts.contact(contact.id)
        #expect(back.callCount == 1 && back.phones.first?.number.e164 == "+447700900199")
    }

    @Test("Alt-U repeats what was undone, until something else is edited")
    mutating func redo() throws {
        let contact = try switchboard.contacts.add(Contact(name: PersonName(given: "Ada")))
        interface.go(to: "2", [contactRow(contact)])
        interface.press(.escape)
        try perform(interface.press(.alt("f")))
        try perform(interface.press(.alt("U")))
        #expect(interface.lines.last == "nothing to redo")
        for _ in 0..<2 {
            try perform(interface.press(.alt("u")))
            #expect(try !switchboard.contacts.contact(contact.id).isFavourite)
            try perform(interface.press(.alt("U")))
            #expect(interface.lines.last?.hasPrefix("redone: Ada is a favourite") == true)
            #expect(try switchboard.contacts.contact(contact.id).isFavourite)
        }
        try perform(interface.press(.alt("u")))
        try perform(interface.press(.alt("c")))
        try perform(interface.press(.alt("U")))
        #expect(try !switchboard.contacts.contact(contact.id).isFavourite)
        try perform(interface.press(.delete, .delete))
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.count() == 1)
        try perform(interface.press(.alt("U")))
        #expect(try switchboard.contacts.count() == 0)
    }

    @Test("Setting a reminder after consent and marking a prospect as contacted can be undone")
    mutating func prospects() throws {
        let row = try prospectRow("Ana", in: switchboard)
        let id = try #require(row.result?.id)
        interface.go(to: "3", [row])
        interface.press(.escape)
        try perform(interface.press(.alt("r")))
        #expect(interface.screen().text.contains("Allow notifications?"))
        let granted = interface.press(.down, .down, .enter)
        guard case .grant(.notifications, true, let retry?)? = granted.first else {
            Issue.record("\(granted)")
            return
        }
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        try perform([retry])
        let reminder = try #require(try switchboard.reminders.pending(of: id))
        #expect(interface.lines.last?.contains("Reminder for Ana: t") ?? false)

        try perform(interface.press(.alt(" ")))
        #expect(try switchboard.prospects.prospect(id).isContacted)
        #expect(try switchboard.reminders.pending(of: id) == nil)
        try perform(interface.press(.alt("u")))
        #expect(try !switchboard.prospects.prospect(id).isContacted)
        #expect(try switchboard.reminders.pending(of: id)?.dueAt == reminder.dueAt)

        try perform(interface.press(.alt("d"), .down, .enter))
        #expect(try switchboard.prospects.count() == 0)
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.prospects.count() == 1)
        #expect(try switchboard.reminders.pending(of: id)?.dueAt == reminder.dueAt)

        // The first action set the reminder.
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.reminders.pending(of: id) == nil)
    }

    @Test("Denied consent is stored; a dismissed question is asked again")
    mutating func refusal() throws {
        let row = try prospectRow("Ana", in: switchboard)
        interface.go(to: "3", [row])
        interface.press(.escape)
        try perform(interface.press(.alt("r")))
        let outcome = interface.press(.escape)
        #expect(outcome.isEmpty)
        try perform(interface.press(.alt("r")))
        guard case .grant(.notifications, false, nil)? = interface.press(.down, .enter).first else {
            Issue.record("no question")
            return
        }
        try switchboard.storage.setStatus(.denied, of: .notifications)
        try perform(interface.press(.alt("r")))
        #expect(interface.lines.last?.contains("denied") ?? false)
        #expect(interface.overlays.isEmpty)
    }

    @Test("A rejected form reopens with its text")
    mutating func refusedForm() throws {
        interface.go(to: "3", [])
        interface.press(.escape, .alt("a"))
        interface.type("Ana")
        interface.press(.tab)
        interface.type("no address")
        try perform(interface.press(.control("s")))
        #expect(interface.screen().text.contains("no address"))
        #expect(interface.overlays.count == 1)
        interface.press(.escape)
        #expect(interface.overlays.isEmpty)
        // Undo reopens the cancelled form.
        interface.press(.alt("u"))
        #expect(interface.screen().text.contains("no address"))
    }

    @Test("Keys wait for the completion of a path, so that Enter scans the completed one")
    mutating func pathCompletion() {
        interface.go(to: "3", [])
        interface.press(.escape, .alt("s"))
        interface.type("a")
        guard case .completePath("a")? = interface.press(.tab).first else {
            Issue.record("no completion")
            return
        }
        let waiting = interface.press(.enter)
        #expect(waiting.isEmpty)
        let requests = interface.handle(.pathCompleted(["ana.png"], for: "a"))
        guard case .scan("ana.png")? = requests.first else {
            Issue.record("\(requests)")
            return
        }
        _ = interface.handle(.scanned(message: "scanned: Ana", undo: [], link: nil))
        #expect(interface.overlays.isEmpty)
        // Escape cancels at once, together with the keys that wait.
        interface.press(.alt("s"))
        interface.type("b")
        interface.press(.tab, .character("x"), .escape)
        #expect(interface.overlays.isEmpty)
        let late = interface.handle(.pathCompleted(["ben.png"], for: "b"))
        #expect(late.isEmpty)
        #expect(interface.searchLine.isEmpty)
    }

    @Test("The time of a reminder is parsed as on the command line")
    mutating func remindAt() throws {
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        let row = try prospectRow("Ana", in: switchboard)
        interface.go(to: "3", [row])
        interface.press(.escape, .alt("R"))
        interface.type("soon")
        let outcome2 = interface.press(.enter)
        #expect(outcome2.isEmpty)
        #expect(interface.lines.last?.contains("“soon”") ?? false)
        interface.press(.control("u"))
        interface.type("2h")
        try perform(interface.press(.enter))
        #expect(try switchboard.reminders.list([.pending]).count == 1)
    }

    @Test("A due reminder has a line of its own and can be answered")
    mutating func due() throws {
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        let row = try prospectRow("Ana", in: switchboard)
        let id = try #require(row.result?.id)
        let reminder = try switchboard.remind(of: id, at: .nextNine).reminder
        _ = interface.handle(.due(reminder))
        #expect(interface.lines[22].contains("Contact Ana"))
        #expect(interface.press(.alt("!"), .enter).isEmpty && interface.lines[22].contains("Contact Ana"))
        interface.press(.alt("!"), .down, .down)
        let answer = interface.press(.enter)
        guard case .answer(let answered, .inAnHour?)? = answer.first else {
            Issue.record("\(answer)")
            return
        }
        #expect(answered.id == reminder.id)
        #expect(!interface.screen().text.contains("Contact Ana"))
    }

    @Test("The badge is a readable QR code, or the screen states the size it needs")
    mutating func badge() throws {
        let me = MyDetails(name: "Łukasz Nowak", email: "lukasz@example.org", organization: "Vandelay")
        let code = try QRCode(Badge(me).vCard)
        interface = Interface(size: Size(columns: 120, rows: 40))
        interface.press(.escape, .alt("b"))
        _ = interface.handle(.badge(.code(me, [code])))
        let picture = ScreenPicture(interface.screen()).picture
        let read = try BadgeReader().read(picture)
        #expect(try read.first?.badge.get().email == "lukasz@example.org")

        _ = interface.handle(.resized(Size(columns: 40, rows: 12)))
        let (columns, rows) = code.textSize
        #expect(interface.screen().text.contains("\(columns) columns and \(rows + 1) rows"))
    }

    @Test("A smaller code with fewer details is shown if the complete one does not fit 80×24")
    mutating func smallBadge() throws {
        let me = MyDetails(
            name: "Łukasz Nowak", email: "lukasz@example.org", phone: "+48 600 100 200", organization: "Vandelay",
            title: "Head of Latex Import", url: "https://vandelay.example.org/lukasz")
        let codes = [try QRCode(Badge(me).vCard), try QRCode(Badge(name: me.name, email: me.email).meCard)]
        #expect(codes[0].textSize.rows > 23)
        interface.press(.escape, .alt("b"))
        _ = interface.handle(.badge(.code(me, codes)))
        let read = try BadgeReader().read(ScreenPicture(interface.screen()).picture).first?.badge.get()
        #expect(read?.email == me.email && read?.name == me.name)
    }

    @Test("Alt-B edits the badge, Alt-b shows it")
    mutating func editingBadge() throws {
        let me = MyDetails(name: "Łukasz Nowak", email: "lukasz@example.org")
        interface.press(.escape, .alt("B"))
        _ = interface.handle(.badge(.code(me, [try QRCode(Badge(me).vCard)])))
        #expect(interface.screen().text.contains("Organisation"))
    }

    @Test("Undo waits for a pending edit, then undoes that one")
    mutating func undoAfterPending() throws {
        let row = try contactRow(switchboard.contacts.add(Contact(name: PersonName(splitting: "Ada Lovelace"))))
        interface.go(to: "2", [row])
        interface.press(.escape)
        try perform(interface.press(.alt("f")))
        let removal = interface.press(.alt("d"), .alt("d"))
        #expect(interface.press(.alt("u")).isEmpty)
        guard case .perform(let edit, _)? = removal.first else {
            Issue.record("\(removal)")
            return
        }
        let undo = interface.handle(.edited(try switchboard.perform(edit), isUndo: false))
        try perform(undo)
        let contact = try #require(try switchboard.contacts.list().first)
        #expect(contact.displayName == "Ada Lovelace" && contact.isFavourite)
    }

    @Test("A form stays on the screen with its text until it is saved; later keys wait")
    mutating func savingForm() throws {
        interface.go(to: "2", [])
        interface.press(.escape, .alt("a"))
        interface.type("Ada Lovelace")
        let requests = interface.press(.control("s"))
        #expect(interface.screen().text.contains("Ada Lovelace"))
        #expect(interface.lines.last == "saving…")
        interface.type("x")
        try perform(requests)
        #expect(interface.overlays.isEmpty && interface.searchLine.text == "x")
    }

    @Test("A prompt keeps a refused value")
    mutating func refusedPrompt() {
        interface.go(to: "4", [])
        interface.press(.escape, .alt("p"))
        interface.type("91,0")
        let requests = interface.press(.enter)
        _ = interface.handle(.failed("the latitude 91 is out of range", of: requests.first))
        #expect(interface.screen().text.contains("91,0"))
        interface.press(.backspace, .backspace, .backspace)
        interface.type(",1")
        #expect(interface.screen().text.contains("> 9,1"))
    }

    @Test("Ctrl-C in a changed form keeps its text for undo; the second one quits")
    mutating func interruptedForm() {
        interface.go(to: "2", [])
        interface.press(.escape, .alt("a"))
        interface.type("Ada")
        #expect(!interface.press(.control("c")).quits)
        #expect(interface.overlays.isEmpty)
        interface.press(.alt("u"))
        #expect(interface.screen().text.contains("Ada"))
        interface.press(.escape)
        #expect(interface.press(.control("c")).quits)
    }

    @Test("A prospect with a reminder is marked in the list and in the detail")
    mutating func reminderMark() throws {
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        var row = try prospectRow("Ana", in: switchboard)
        row.reminder = try switchboard.remind(of: try #require(row.result?.id), at: .nextNine).reminder
        interface.go(to: "3", [row])
        #expect(interface.lines.contains { $0.hasPrefix("⏰ Ana") })
        interface.press(.enter)
        #expect(interface.screen().text.contains("⏰ \(row.reminder?.localTime ?? "")"))
    }

    @Test("Tab completes the common prefix of a path, then cycles through the completions")
    mutating func completion() {
        interface.press(.escape, .alt("s"))
        interface.type("ba")
        guard case .completePath("ba")? = interface.press(.tab).first else {
            Issue.record("no completion requested")
            return
        }
        _ = interface.handle(.pathCompleted(["badges/", "badge.png"], for: "ba"))
        #expect(interface.screen().text.contains("badges/"))
        interface.press(.tab, .tab)
        guard case .scan("badge.png")? = interface.press(.enter).first else {
            Issue.record("no scan requested")
            return
        }
    }

    @Test("Resuming an activity opens its link")
    mutating func continuing() {
        let requests = interface.handle(.resumed(url: "switchboard://find/rio", title: "rio"))
        #expect(interface.tab == .find && interface.searchLine.text == "rio")
        #expect(requests.searches.last?.text == "rio")
        let place = interface.handle(.resumed(url: "switchboard://contact/x1", title: "Ana"))
        guard case .reload(let read, true)? = place.first else {
            Issue.record("\(place)")
            return
        }
        #expect(read.id == "x1")
    }

    @Test("A row that is opened after typing is recorded for the text, by keypad or not; one of an empty line is not")
    mutating func openedRows() {
        interface.go(to: "2", [contactRow("Ada Lovelace", id: "a")])
        #expect(recorded(interface.press(.enter)).isEmpty)
        interface.press(.escape)
        interface.answer(interface.type("lov"), [contactRow("Ada Lovelace", id: "a")])
        #expect(recorded(interface.press(.enter)) == ["a for lov"])
        interface.press(.escape, .escape)
        interface.answer(interface.type("232"), [contactRow("Ada Lovelace", id: "a")])
        #expect(interface.isKeypad)
        #expect(recorded(interface.press(.enter)) == ["a for #232"])
    }

    private func recorded(_ requests: [Request]) -> [String] {
        requests.compactMap { request in
            guard case .recordOpening(let result, let input) = request else { return nil }
            return "\(result.id) for \(input.keys == nil ? "" : "#")\(input.text)"
        }
    }
}
