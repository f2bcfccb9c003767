import SwitchboardContacts
public import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

extension Interface {
    /// Handles an event.
    ///
    /// - Parameter time: the time since the start of the program.
    /// - Returns: the requests to execute, in order.
    public mutating func handle(_ event: Event, at time: Duration) -> [Request] {
        self.time = time
        let requests = response(to: event)
        pendingEdits += requests.count { $0.isEdit }
        return requests
    }

    private mutating func response(to event: Event) -> [Request] {
        switch event {
        case .key(let key): return handle(key)
        case .drawn: openQuestion()
        case .paste(let text): return paste(text)
        case .mouse(let mouse): return handle(mouse)
        case .resized(let size):
            self.size = size
            return []
        case .searchUpdated(let update): return apply(update)
        case .edited(let result, let isUndo):
            pendingEdits -= 1
            return apply(result, isUndo: isUndo) + handleHeldKeys() + performDeferredUndos()
        case .failed(let text, let request):
            warn(text)
            isRedoing = false
            if case .markAll? = request { (markingTicket, deferredCommands) = (nil, []) }
            if request?.isSubmission ?? false { reopenSubmission() }
            guard request?.isEdit ?? false else { break }
            pendingEdits -= 1
            return performDeferredUndos()
        case .notice(let text): inform(text)
        case .located(let text):
            inform(text)
            closeSubmission()
            return [search(isSame: true)] + handleHeldKeys()
        case .counted(let ticket, let total, let hasMore):
            if ticket == lastTicket { (listing.total, listing.totalHasMore) = (total, hasMore) }
        case .allMarked(let ticket, let marks): return apply(marks, of: ticket)
        case .searchDelayed(let ticket, let text): if ticket == lastTicket { listing.delay = text }
        case .needsAccess(let subject, let status, let purpose, let retry):
            if retry.isEdit { pendingEdits -= 1 }
            ask(for: subject, status, purpose: purpose, retry: retry)
            return performDeferredUndos()
        case .changed: return refresh()
        case .reloaded(let row, let opens): return apply(row, opens: opens)
        case .resumed(let url, let title): return openActivity(url, title: title)
        case .badge(let badge): apply(badge)
        case .reminders(let reminders): apply(reminders)
        case .due(let reminder):
            dueReminders.removeAll { $0.id == reminder.id }
            dueReminders.append(reminder)
            dueNotice = nil
        case .dueNotAllowed(let text): dueNotice = text
        case .pathCompleted(let completions, let text): return apply(completions, for: text)
        case .scanned(let text, let undo, let link):
            inform(text)
            closeSubmission()
            if !undo.isEmpty { undoStack.append(.edits(undo)) }
            idToSelect = link?.url
            return [search(isSame: true)] + (link.map { [.reload($0, opens: true)] } ?? []) + handleHeldKeys()
        case .menuLoaded(let kind, let entries): apply(entries, of: kind)
        case .mergePreviewed(let ids, let details): apply(mergePreview: details, of: ids)
        case .exported(let text):
            inform(text)
            closeSubmission()
            return [search(isSame: true)] + handleHeldKeys()
        case .imported(let text, let lines, let isUndoable):
            closeSubmission()
            if isUndoable {
                // Only the last import that changed something can be undone.
                undoStack.removeAll {
                    if case .edits(let edits) = $0, case .undoImport? = edits.first { true } else { false }
                }
                undoStack.append(.edits([.undoImport]))
            }
            inform(text + (isUndoable ? "; \(keyName(of: .undo)) undoes" : ""))
            overlays.removeAll { if case .menu(let menu) = $0 { menu.kind == .importReport } else { false } }
            if !lines.isEmpty { overlays.append(.menu(Overlay.Menu(kind: .importReport, entries: lines))) }
            return [search(isSame: true)] + handleHeldKeys()
        case .regionMissing(let count, let path): ask(forRegionOf: count, path)
        case .regionSet(let region): self.region = region
        case .noteEdited(let result, let text): return change(noteOf: result, to: text)
        case .conflicted(let conflict, let edit, let isUndo):
            pendingEdits -= 1
            isRedoing = false
            ask(about: conflict, edit, isUndo: isUndo)
            return performDeferredUndos()
        case .keypadUpdated(let update): return apply(update)
        }
        return []
    }

    // MARK: - Responses

    private mutating func apply(_ update: SearchUpdate) -> [Request] {
        guard update.ticket == lastTicket else { return [] }
        var listing = listing
        listing.isSearching = !update.isFinal
        listing.delay = nil
        listing.failure = update.failure
        listing.remote = update.remote
        // Keep the total until the rows are counted again.
        (listing.hasMore, listing.total) = (update.hasMore, update.hasMore ? update.total ?? listing.total : nil)
        if update.total != nil { listing.totalHasMore = false }
        if update.failure == nil {
            let isSame = listing.text == searchLine.text && !listing.rows.isEmpty
            listing.replaceRows(update.rows, keepingSelection: isSame)
            marks[tab]?.refresh(update.rows)
            listing.text = searchLine.text
            if listing.goesToEnd, !update.hasMore {
                listing.move(by: listing.rows.count)
                listing.scroll(height: layout.list.height)
            }
            if let idToSelect, let row = listing.rows.firstIndex(where: { $0.id == idToSelect }) {
                listing.selected = row
                listing.scroll(height: layout.list.height)
            } else if idToSelect != nil, update.isFinal, update.hasMore {
                // The row is not loaded yet.
                listing.limit = 0
                self.listing = listing
                return [search(isSame: true)]
            }
            if update.isFinal { (idToSelect, listing.goesToEnd) = (nil, false) }
        } else {
            listing.replaceRows([], keepingSelection: false)
        }
        self.listing = listing
        return isStale ? [] : performDeferredCommands()
    }

    /// Performs the commands that waited, until one of them has to wait again.
    mutating func performDeferredCommands() -> [Request] {
        let commands = deferredCommands
        deferredCommands = []
        return commands.flatMap { perform($0) } + handleHeldKeys()
    }

    private mutating func apply(_ result: EditResult, isUndo: Bool) -> [Request] {
        closeSubmission()
        let prefix = isRedoing ? "redone: " : ""
        if isUndo {
            if let redo = result.undo { redoStack.append([redo]) }
        } else {
            if let undo = result.undo { undoStack.append(.edits([undo])) }
            if result.undo?.isBulk ?? false { marks[tab] = nil }
            if !isRedoing { redoStack = [] }
            isRedoing = false
        }
        if !result.message.isEmpty {
            let isRemoval = result.link == nil && result.undo != nil && !isUndo
            inform(prefix + result.message + (isRemoval ? "; \(keyName(of: .undo)) undoes" : ""))
        }
        var requests = [search(isSame: true)]
        if let link = result.link {
            idToSelect = link.url
            // An open detail shows the edited object.
            if overlays.contains(where: { if case .detail(let row, _, _) = $0 { row.id == link.url } else { false } }) {
                requests.append(.reload(link, opens: false))
            }
        } else {
            overlays.removeAll {
                switch $0 {
                case .detail: true
                case .menu(let menu): !menu.kind.isReloaded
                default: false
                }
            }
        }
        requests += overlays.compactMap(\.reload)
        if case .badge? = overlays.last { requests.append(.badge) }
        return requests
    }

    private mutating func apply(_ row: Row?, opens: Bool) -> [Request] {
        guard let row else {
            if opens { warn("it no longer exists") }
            return []
        }
        var isShown = false
        for index in overlays.indices {
            if case .detail(let old, let top, let field) = overlays[index], old.id == row.id {
                let count = row.details(language: language).count
                overlays[index] = .detail(row, top: top, field: field.map { min($0, count - 1) })
                isShown = true
            }
        }
        guard opens, !isShown else { return [] }
        overlays.append(.detail(row, top: 0))
        return row.result.map { [.recordView($0)] } ?? []
    }

    private mutating func apply(_ badge: BadgeState) {
        guard case .badge? = overlays.last else { return }
        if case .empty = badge {
            inform("your badge is empty; fill it in")
        } else if !editsBadge {
            overlays[overlays.count - 1] = .badge(badge)
            return
        }
        editsBadge = false
        overlays[overlays.count - 1] = .form(Form(.me(badge.details)))
    }

    private func change(noteOf result: SearchResult, to text: String) -> [Request] {
        switch result.object {
        case .contact(let contact):
            var change = ContactChange()
            change[.note] = text
            return [.perform(.editContact(contact.id, change, since: contact))]
        case .prospect(let prospect):
            var change = ProspectChange()
            change.note = text
            return [.perform(.editProspect(prospect.id, change, since: prospect))]
        default: return []
        }
    }

    // MARK: - Conflicts

    /// Asks which values to keep. Nothing is stored before the answer, and typed text is never lost.
    private mutating func ask(about conflict: EditConflict, _ edit: EditCommand, isUndo: Bool) {
        message = nil
        let lines = conflict.fields.map { field in
            func shown(_ text: String) -> String { text.isEmpty ? "nothing" : "“\(text)”" }
            return "\(field.name): mine \(shown(field.mine)), theirs \(shown(field.theirs))"
        }
        func answer(_ label: String, keepsMine: Bool) -> Overlay.Question.Answer {
            let answered = edit.answering(EditConflictAnswer(conflict, keepsMine: keepsMine))
            return Overlay.Question.Answer(label, [.perform(answered, isUndo: isUndo)])
        }
        overlays.append(
            .question(
                Overlay.Question(
                    title: "Changed elsewhere, too", text: lines.joined(separator: "\n"),
                    answers: [
                        unsaved(edit), answer("Keep theirs", keepsMine: false), answer("Keep mine", keepsMine: true),
                    ])))
    }

    /// Returns the answer that stores nothing and goes back to the text of an edit.
    private func unsaved(_ edit: EditCommand) -> Overlay.Question.Answer {
        let isForm = overlays.contains { if case .form(let form) = $0 { form.isSubmitted } else { false } }
        switch edit {
        case _ where isForm: return Overlay.Question.Answer("Back to the form")
        case .editContact(_, let change, let contact, _):
            return Overlay.Question.Answer("Edit again", [.editNote(SearchResult(contact), change[.note] ?? "")])
        case .editProspect(_, let change, let prospect, _):
            return Overlay.Question.Answer("Edit again", [.editNote(SearchResult(prospect), change.note ?? "")])
        default: return Overlay.Question.Answer("Change nothing")
        }
    }

    /// Asks for the country of imported numbers, once; later imports only name the setting.
    private mutating func ask(forRegionOf count: Int, _ path: String) {
        let text = count == 1 ? "1 number has no country code" : "\(count) numbers have no country code"
        guard !hasAskedForRegion else { return warn(text + "; set region in tui.conf") }
        hasAskedForRegion = true
        let prompt = Overlay.Prompt(
            title: "Country of the numbers", hint: "two letters, such as GB; tui.conf keeps them as the region",
            kind: .region(of: path))
        overlays.append(
            .question(
                Overlay.Question(
                    title: "Numbers without a country", text: text + "; they are found only as they are stored.",
                    answers: [
                        Overlay.Question.Answer("Leave them as they are"),
                        Overlay.Question.Answer("Choose their country and import again", prompt: prompt),
                    ])))
    }

    // MARK: - Submitted forms and prompts

    /// Closes the submitted form or prompt after its value was accepted.
    mutating func closeSubmission() {
        overlays.removeAll { overlay in
            switch overlay {
            case .form(let form): form.isSubmitted
            case .prompt(let prompt): prompt.isSubmitted
            default: false
            }
        }
    }

    /// Lets the user correct the submitted form or prompt after its value was rejected.
    mutating func reopenSubmission() {
        heldKeys = []
        for index in overlays.indices {
            switch overlays[index] {
            case .form(var form):
                form.isSubmitted = false
                overlays[index] = .form(form)
            case .prompt(var prompt):
                prompt.isSubmitted = false
                overlays[index] = .prompt(prompt)
            default: break
            }
        }
    }

    /// Performs the undos that waited for pending edits.
    private mutating func performDeferredUndos() -> [Request] {
        guard pendingEdits <= 0, deferredUndos > 0 else { return [] }
        deferredUndos -= 1
        return perform(.undo)
    }

    private mutating func apply(_ reminders: [Reminder]) {
        for index in overlays.indices {
            if case .reminders(var listing) = overlays[index] {
                listing.replaceRows(reminders.map { Row(.reminder($0)) }, keepingSelection: true)
                listing.isSearching = false
                overlays[index] = .reminders(listing)
            }
        }
    }

    private mutating func apply(_ completions: [String], for text: String) -> [Request] {
        for index in overlays.indices {
            guard case .prompt(var prompt) = overlays[index], prompt.isCompleting else { continue }
            prompt.isCompleting = false
            if prompt.field.text == text { prompt.complete(with: completions) }
            overlays[index] = .prompt(prompt)
        }
        return handleHeldKeys()
    }

    /// Handles the keys that waited for a response, until one of them has to wait again.
    mutating func handleHeldKeys() -> [Request] {
        var requests: [Request] = []
        while !heldKeys.isEmpty, !isHoldingKeys { requests += handle(heldKeys.removeFirst()) }
        return requests
    }

    private var isHoldingKeys: Bool {
        switch overlays.last {
        case .prompt(let prompt) where prompt.isCompleting || prompt.isSubmitted: true
        case .form(let form) where form.isSubmitted: true
        default: keypadSession?.isWaiting ?? false
        }
    }

    // MARK: - Consent

    private mutating func ask(
        for subject: AccessSubject, _ status: AccessStatus, purpose: String, retry: Request
    ) {
        guard status == .notDetermined else {
            warn(
                "access to \(subject.rawValue) is denied; “switchboard access reset \(subject.rawValue)” allows a new answer"
            )
            closeSubmission()
            return
        }
        overlays.append(
            .question(
                Overlay.Question(
                    title: "Allow \(subject.rawValue)?", text: purpose,
                    answers: [
                        Overlay.Question.Answer("Not now"),
                        Overlay.Question.Answer("Deny", [.grant(subject, false, then: nil)]),
                        Overlay.Question.Answer("Allow", [.grant(subject, true, then: retry)]),
                    ])))
    }

    // MARK: - External changes

    private mutating func refresh() -> [Request] {
        var requests = [search(isSame: true)]
        for overlay in overlays {
            switch overlay {
            case .detail(let row, _, _):
                if let result = row.result { requests.append(.reload(result.link, opens: false)) }
            default: requests += [overlay.reload].compactMap(\.self)
            }
        }
        return requests
    }

    /// Opens the object of a link, or continues its activity or search.
    public mutating func open(_ link: DeepLink) -> [Request] {
        link.kind == .activity ? [.resumeActivity(id: link.id)] : openActivity(link.url, title: "")
    }

    private mutating func openActivity(_ url: String, title: String) -> [Request] {
        guard let link = DeepLink(url: url) else {
            inform("\(title) links to \(url)")
            return []
        }
        switch link.kind {
        case .find:
            overlays = []
            tab = .find
            searchLine = TextField(link.id)
            return [search()]
        case .activity:
            inform("\(title) resumed")
            return [search(isSame: true)]
        default: return [.reload(link, opens: true)]
        }
    }
}

extension Overlay {
    /// The request for the current content of a list.
    fileprivate var reload: Request? {
        switch self {
        case .reminders: .reminders
        case .menu(let menu) where menu.kind.isReloaded: .menu(menu.kind)
        default: nil
        }
    }
}

extension EditCommand {
    /// True if the edit undoes an action on marked rows.
    fileprivate var isBulk: Bool {
        switch self {
        case .all, .undoMerge: true
        default: false
        }
    }
}
