import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
public import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex

extension Interface {
    /// Performs a command, or shows why it is unavailable.
    mutating func perform(_ command: Command) -> [Request] {
        if overlays.isEmpty, command.isAboutRows, isStale || markingTicket != nil {
            deferredCommands.append(command)
            return []
        }
        if let picker, command == .open { return picked(by: picker) }
        if let reason = unavailabilityReason(for: command) {
            warn(reason)
            return []
        }
        switch command {
        case .tab(let tab): return show(tab)
        case .nextTab: return show(tab.next(1))
        case .previousTab: return show(tab.next(-1))
        case .down: return move(by: 1)
        case .up: return move(by: -1)
        case .pageDown: return move(by: max(1, layout.list.height - 1))
        case .pageUp: return move(by: -max(1, layout.list.height - 1))
        case .first: return move(by: -listing.rows.count)
        case .last:
            listing.goesToEnd = listing.hasMore
            if listing.hasMore { listing.limit = 0 }
            return move(by: listing.rows.count)
        case .open: return open()
        case .leave: return leave()
        case .commandMode: isInCommandMode = true
        case .help: overlays.append(.help(top: 0))
        case .palette: overlays.append(.palette(Overlay.Palette()))
        case .map: overlays.append(.map())
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .keypadTyping: return toggleKeypadTyping()
        case .previewDown: scrollPreview(by: 1)
        case .previewUp: scrollPreview(by: -1)
        case .undo: return undo()
        case .redo: return redo()
        case .earlierQuery: return recallQuery()
        case .filter:
            filter = filter.next
            return [search()]
        case .order:
            if tab == .contacts { contactOrder = contactOrder.next } else { order = order.next }
            return [search()]
        case .badge:
            overlays.append(.badge(nil))
            editsBadge = false
            return [.badge]
        case .editBadge:
            if case .badge? = overlays.last { overlays.removeLast() }
            overlays.append(.badge(nil))
            editsBadge = true
            return [.badge]
        case .reminders:
            overlays.append(.reminders(Listing()))
            return [.reminders]
        case .scan:
            overlays.append(.prompt(Overlay.Prompt(title: "Picture (PNG, JPEG, HEIC, WebP or GIF)", kind: .scan)))
        case .groups: return openMenu(.groups)
        case .birthdays: return openMenu(.birthdays)
        case .duplicates: return openMenu(.duplicates)
        case .removed: return openMenu(.removed)
        case .importContacts:
            overlays.append(
                .prompt(
                    Overlay.Prompt(
                        title: "Import contacts", hint: "a file in vCard, CSV or JSON format", kind: .importContacts)))
        case .exportContacts: overlays.append(.prompt(exportPrompt))
        case .mark:
            if let row = listing.row { toggleMark(of: row) }
            return move(by: 1)
        case .markAll: return markAll()
        case .merge:
            let contacts = markedContacts
            overlays.append(mergeQuestion(contacts.map(\.object), into: contacts.first?.title ?? ""))
            return [.previewMerge(contacts.map(\.object))]
        case .setLocation:
            overlays.append(
                .prompt(
                    Overlay.Prompt(
                        title: "My location", hint: "a city, or latitude,longitude such as 52.52,13.40", kind: .location
                    )))
        case .answerReminder: if let reminder = dueReminders.last { overlays.append(answers(to: reminder)) }
        case .add: overlays.append(.form(Form(tab == .prospects ? .newProspect : .newContact)))
        case .contacted, .remind, .remindAt, .edit, .editNote, .remove, .favourite, .call:
            switch effect(of: command) {
            case .requests(let requests): return requests
            case .overlay(let overlay): overlays.append(overlay)
            case .unavailable(let reason): warn(reason)
            }
        }
        return []
    }

    /// The effect of a command on the selected row or the marked rows.
    private enum Effect {
        case requests([Request])
        case overlay(Overlay)
        case unavailable(String)
    }

    private func effect(of command: Command) -> Effect {
        if isOnList, !marked.isEmpty, let effect = effect(of: command, onMarked: marked) { return effect }
        guard let row = subject else { return .unavailable("no row is selected") }
        guard let result = row.result else {
            return .unavailable("\(row.title) is not a contact, prospect, airport or item")
        }
        switch (command, result.object) {
        case (.contacted, .prospect(let prospect)):
            return .requests([.perform(.setContacted(prospect.id, to: !prospect.isContacted, reminder: nil))])
        case (.remind, .prospect(let prospect)), (.remindAt, .prospect(let prospect)):
            if prospect.isContacted { return .unavailable(alreadyContacted(prospect.displayName)) }
            if command == .remind { return .requests([.perform(.remind(prospect.id, .nextNine))]) }
            return .overlay(remindPrompt(prospect.displayName, ids: [prospect.id]))
        case (.contacted, _), (.remind, _), (.remindAt, _): return .unavailable("\(result.title) is not a prospect")
        case (.editNote, .contact(let contact)): return .requests([.editNote(result, contact.note)])
        case (.editNote, .prospect(let prospect)): return .requests([.editNote(result, prospect.note)])
        case (.editNote, _): return .unavailable("\(result.title) has no note to edit; only contacts and prospects do")
        case (.edit, .contact(let contact)): return .overlay(.form(Form(.contact(contact))))
        case (.edit, .prospect(let prospect)): return .overlay(.form(Form(.prospect(prospect))))
        case (.edit, _):
            return .unavailable("\(result.title) cannot be edited; only contacts and prospects can")
        case (.remove, .contact(let contact)):
            return .overlay(removal(of: contact.displayName, .removeContact(contact.id)))
        case (.remove, .prospect(let prospect)):
            return .overlay(removal(of: prospect.displayName, .removeProspect(prospect.id)))
        case (.remove, _):
            return .unavailable("\(result.title) cannot be removed; only contacts and prospects can")
        case (.favourite, .contact(let contact)):
            return .requests([.perform(.setFavourite(contact.id, to: !contact.isFavourite))])
        case (.favourite, _): return .unavailable("\(result.title) cannot be a favourite; only contacts can")
        case (.call, .contact(let contact)):
            return .requests(
                [.recordView(result)] + recordedOpening(of: result) + [.perform(.callContact(contact.id))])
        case (.call, .airport(let airport, _)):
            return .requests(
                [.recordView(result)] + recordedOpening(of: result) + [.perform(.chooseAirport(airport.code))])
        case (.call, .item):
            return .requests([.recordView(result), .recordChoice(result, query: searchLine.text)])
        case (.call, .prospect):
            return .unavailable("\(result.title) is a prospect; \(keyName(of: .contacted)) marks them as contacted")
        default: return .requests([])
        }
    }

    private func remindPrompt(_ name: String, ids: [String]) -> Overlay {
        .prompt(
            Overlay.Prompt(
                title: "Remind to contact \(name)",
                hint: "such as 9am, tomorrow at nine, fri, next week, 2026-12-01 14:30 or in 2 hours",
                kind: .remind(ids: ids)))
    }

    func removal(of name: String, _ edit: EditCommand) -> Overlay {
        .question(
            Overlay.Question(
                title: "Remove", text: "Remove \(name)?",
                answers: [Overlay.Question.Answer("Keep"), Overlay.Question.Answer("Remove", [.perform(edit)])],
                command: .remove))
    }

    /// The possible answers to a due reminder.
    private func answers(to reminder: Reminder) -> Overlay {
        .question(
            Overlay.Question(
                title: reminder.title, text: reminder.body,
                answers: [Overlay.Question.Answer("Later")]
                    + ReminderChoice.allCases.map { Overlay.Question.Answer($0.label, [.answer(reminder, $0)]) }
                    + [Overlay.Question.Answer("Dismiss", [.answer(reminder, nil)])]))
    }

    private func alreadyContacted(_ name: String) -> String {
        "\(name) was contacted; \(keyName(of: .contacted)) reverts that"
    }

    // MARK: - Navigation

    private mutating func show(_ tab: Tab) -> [Request] {
        overlays = []
        (deferredCommands, markingTicket) = ([], nil)
        (self.tab, isCursorOnRow) = (tab, false)
        return [search(isSame: listing.text == searchLine.text)]
    }

    /// Moves the selection and requests more rows near the end of the list.
    private mutating func move(by distance: Int) -> [Request] {
        isCursorOnRow = true
        var listing = listing
        listing.move(by: distance)
        listing.scroll(height: layout.list.height)
        let wantsMore = listing.hasMore && listing.selected + layout.list.height >= listing.rows.count
        if wantsMore, listing.limit != 0 { listing.limit = min(listing.rows.count * 4, 1 << 20) }
        self.listing = listing
        return wantsMore ? [search(isSame: true)] : []
    }

    private mutating func scrollPreview(by distance: Int) {
        guard overlays.isEmpty, let row = listing.row else { return }
        preview = (row.id, min(max(0, previewTop + distance), maximumPreviewTop))
    }

    private mutating func open() -> [Request] {
        guard let row = listing.row else { return [] }
        rememberQuery()
        switch row.content {
        case .activity(let stored): return [.resumeActivity(id: stored.id)]
        case .result(let result):
            overlays.append(.detail(row, top: 0))
            // A row has only stored fields; the detail needs the whole object.
            let owned: [Request] = if case .item = result.object { [.openWithOwner(result.link)] } else { [] }
            return [.recordView(result)] + recordedOpening(of: result) + [.reload(result.link, opens: false)] + owned
        case .reminder: return []
        }
    }

    /// Returns the request to record that a result was opened after something was typed.
    private func recordedOpening(of result: SearchResult) -> [Request] {
        guard !searchLine.text.isEmpty, let input = try? SearchInput(searchLine.text, keypad: isKeypad) else {
            return []
        }
        return [.recordOpening(result, input)]
    }

    /// Goes back one level: from an overlay, or from a search text to an empty one.
    private mutating func leave() -> [Request] {
        if let overlay = overlays.popLast() {
            // As in the detail, a name typed now starts a new search.
            if case .detail = overlay, overlays.isEmpty { replacesQuery = !searchLine.isEmpty }
            return []
        }
        guard !searchLine.isEmpty else { return [] }
        rememberQuery()
        searchLine = TextField()
        isCursorOnRow = false
        return [search()]
    }

    private mutating func undo() -> [Request] {
        // The last edit may not be on the stack yet.
        guard pendingEdits <= 0 else {
            deferredUndos += 1
            return []
        }
        switch undoStack.popLast() {
        case .form(let form):
            overlays.append(.form(form))
            return []
        case .edits(let edits): return edits.reversed().map { .perform($0, isUndo: true) }
        case nil: return []
        }
    }

    /// Repeats the edits of the last undo.
    private mutating func redo() -> [Request] {
        guard pendingEdits <= 0, let edits = redoStack.popLast() else { return [] }
        isRedoing = true
        return edits.reversed().map { .perform($0) }
    }

    /// Returns the reason that a command is unavailable; nil if it is available.
    public func unavailabilityReason(for command: Command) -> String? {
        switch command {
        case .previewDown, .previewUp:
            return layout.pane == nil ? "there is no room for a preview; Enter opens the row" : nil
        case .undo: return undoStack.isEmpty && pendingEdits <= 0 ? "nothing to undo" : nil
        case .redo: return redoStack.isEmpty ? "nothing to redo" : pendingEdits > 0 ? "an edit is being saved" : nil
        case .earlierQuery: return history.isEmpty ? "there is no earlier search text" : nil
        case .filter: return tab == .prospects ? nil : "only prospects can be filtered; press Alt-3"
        case .order:
            return [.contacts, .prospects].contains(tab)
                ? nil : "only contacts and prospects can be sorted; press Alt-2 or Alt-3"
        case .answerReminder: return dueReminders.isEmpty ? "no reminder is due" : nil
        case .add:
            return [.contacts, .prospects, .find].contains(tab)
                ? nil : "only contacts and prospects can be added; press Alt-2 or Alt-3"
        case .open: return listing.row == nil ? "no row is selected" : nil
        case .contacted, .remind, .remindAt, .edit, .editNote, .remove, .favourite, .call:
            if isOnList, !marked.isEmpty, ![.edit, .editNote, .call].contains(command) {
                return refusal(of: command, onMarked: marked)
            }
            if case .unavailable(let reason) = effect(of: command) { return reason }
            return nil
        case .mark: return listing.row.map(\.markReason) ?? "no row is selected"
        case .markAll:
            return listing.rows.contains { $0.markReason == nil } || !marked.isEmpty
                ? nil : "only contacts and prospects can be marked"
        case .map:
            let hasAirport = listing.rows.contains { if case .airport? = $0.result?.object { true } else { false } }
            return hasAirport ? nil : "no airport is listed"
        case .merge:
            if markedContacts.count > 1 { return nil }
            return "mark the contacts to merge with \(keyName(of: .mark)); the first one is kept"
        default: return nil
        }
    }
}

extension Command {
    fileprivate var isAboutRows: Bool {
        switch self {
        case .down, .up, .pageDown, .pageUp, .first, .last, .open, .contacted, .remind, .remindAt, .edit, .editNote,
            .remove, .favourite, .call, .mark, .markAll, .merge, .exportContacts:
            true
        default: false
        }
    }
}

extension Tab {
    /// Returns the tab at a distance, wrapping around at the ends.
    func next(_ distance: Int) -> Tab {
        let count = Tab.allCases.count
        return Tab.allCases[((rawValue + distance) % count + count) % count]
    }
}

extension ProspectFilter {
    var next: ProspectFilter {
        switch self {
        case .everyone: .uncontacted
        case .uncontacted: .contacted
        case .contacted: .everyone
        }
    }
}

extension ContactSortOrder? {
    /// The next sort order: most used, then name, family name, organization and time of change.
    fileprivate var next: ContactSortOrder? {
        let orders: [ContactSortOrder?] = [nil, .name, .family, .organization, .changed]
        let index = orders.firstIndex(of: self).map { $0 + 1 } ?? 0
        return orders[index % orders.count]
    }
}

extension ProspectOrder {
    var next: ProspectOrder { self == .name ? .recent : .name }
}

extension BadgeState {
    var details: MyDetails {
        switch self {
        case .empty: MyDetails()
        case .code(let details, _), .failed(let details, _): details
        }
    }
}

// MARK: - Marked rows

extension Interface {
    /// The marked rows of the tab.
    var marked: [Mark] { marks[tab]?.list ?? [] }

    /// True if commands apply to the list. The palette shows the commands that are available there.
    private var isOnList: Bool { overlays.allSatisfy { if case .palette = $0 { true } else { false } } }

    /// The marked contacts of the tab.
    var markedContacts: [Mark] { marked.filter { $0.kind == .contact } }

    private mutating func toggleMark(of row: Row) {
        guard let mark = row.result.flatMap(Mark.init) else { return }
        marks[tab, default: Marks()].toggle(mark)
    }

    /// Marks all rows of the list, including rows that are not loaded, or removes all marks.
    mutating func markAll() -> [Request] {
        if !marked.isEmpty {
            marks[tab] = nil
        } else if listing.hasMore {
            markingTicket = lastTicket
            inform("marking…")
            return [.markAll(search(limit: 0))]
        } else {
            marks[tab] = Marks(listing.rows.compactMap { $0.result.flatMap(Mark.init) })
        }
        return []
    }

    /// Marks all rows, then performs the commands that waited for the marks.
    mutating func apply(_ marks: [Mark], of ticket: Int) -> [Request] {
        guard ticket == markingTicket else { return [] }
        (markingTicket, message) = (nil, nil)
        self.marks[tab] = Marks(marks)
        return performDeferredCommands()
    }

    /// Combines several edits into one.
    func bulk(_ edits: [EditCommand]) -> EditCommand {
        if edits.count == 1, let edit = edits.first { return edit }
        return .all(edits)
    }

    /// Returns the reason that a command cannot apply to all marked rows; nil if it can.
    func refusal(of command: Command, onMarked marks: [Mark]) -> String? {
        switch command {
        case .favourite:
            return marks.first { $0.kind != .contact }.map { "\($0.title) cannot be a favourite; only contacts can" }
        case .contacted, .remind, .remindAt:
            if let other = marks.first(where: { $0.kind != .prospect }) { return "\(other.title) is not a prospect" }
            guard command != .contacted else { return nil }
            return marks.first(where: \.isFlagged).map { alreadyContacted($0.title) }
        default: return nil
        }
    }

    /// Returns the effect of a command on all marked rows; nil if it applies to the selected row only.
    private func effect(of command: Command, onMarked marks: [Mark]) -> Effect? {
        if let reason = refusal(of: command, onMarked: marks) { return .unavailable(reason) }
        switch command {
        case .favourite, .contacted:
            let isFlagged = !marks.allSatisfy(\.isFlagged)
            let edits = marks.filter { $0.isFlagged != isFlagged }.map { mark -> EditCommand in
                command == .favourite
                    ? .setFavourite(mark.object, to: isFlagged)
                    : .setContacted(mark.object, to: isFlagged, reminder: nil)
            }
            return .requests([.perform(.all(edits))])
        case .remind: return .requests([.perform(.all(marks.map { .remind($0.object, .nextNine) }))])
        case .remindAt: return .overlay(remindPrompt("\(marks.count) prospects", ids: marks.map(\.object)))
        case .remove:
            let names = marks.prefix(3).map(\.title).joined(separator: ", ") + (marks.count > 3 ? " …" : "")
            let edits = marks.map { mark -> EditCommand in
                mark.kind == .contact ? .removeContact(mark.object) : .removeProspect(mark.object)
            }
            return .overlay(
                removal(of: marks.count == 1 ? names : "\(marks.count) marked rows (\(names))", .all(edits)))
        default: return nil
        }
    }

    /// The prompt for the name of the export file.
    private var exportPrompt: Overlay.Prompt {
        let count = markedContacts.count
        let what = count > 0 ? "\(count) marked contacts" : group.map { "the group \($0)" } ?? "all contacts"
        return Overlay.Prompt(
            title: "Export \(what)", hint: "a new file that ends in .vcf, .csv or .json", kind: .exportContacts)
    }

    private mutating func openMenu(_ kind: MenuKind) -> [Request] {
        overlays.append(.menu(Overlay.Menu(kind: kind)))
        return [.menu(kind)]
    }
}

extension Row {
    /// The reason that the row cannot be marked; nil if it can.
    fileprivate var markReason: String? {
        switch result?.kind {
        case .contact, .prospect: nil
        default: "only contacts and prospects can be marked"
        }
    }
}

/// A marked row. It stores only the data needed by actions on all marked rows, so 100,000 rows can be marked.
public struct Mark: Sendable {
    /// The identity of the row in its list.
    let id: String
    /// The identifier of the contact or prospect.
    let object: String
    let kind: ResultKind
    let title: String
    /// True for a favorite or a contacted prospect.
    let isFlagged: Bool

    /// Creates the mark of a row; nil if the row is not a contact or prospect.
    public init?(_ result: SearchResult) {
        guard result.kind == .contact || result.kind == .prospect else { return nil }
        (id, object, kind) = (result.link.url, result.id, result.kind)
        (title, isFlagged) = (result.title, result.isFlagged)
    }
}

/// The marked rows of a tab, in the order in which they were marked.
struct Marks: Sendable {
    private(set) var list: [Mark] = []
    private(set) var ids: Set<String> = []

    init(_ list: [Mark] = []) {
        self.list = list
        ids = Set(list.lazy.map(\.id))
    }

    /// Marks a row, or removes its mark.
    mutating func toggle(_ mark: Mark) {
        if ids.insert(mark.id).inserted {
            list.append(mark)
        } else {
            ids.remove(mark.id)
            list.removeAll { $0.id == mark.id }
        }
    }

    /// Updates the marks of rows that were reloaded.
    mutating func refresh(_ rows: [Row]) {
        var current: [String: Mark] = [:]
        for row in rows where ids.contains(row.id) { current[row.id] = row.result.flatMap(Mark.init) }
        if !current.isEmpty { list = list.map { current[$0.id] ?? $0 } }
    }
}
