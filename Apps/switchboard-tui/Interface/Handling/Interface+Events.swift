import SwitchboardBadges
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardKit

extension Interface {
    /// What happens when something happens.
    ///
    /// - Returns: what is to be done, in order.
    public mutating func handle(_ event: Event) -> [Request] {
        switch event {
        case .key(let key): return handle(key)
        case .paste(let text): return paste(text)
        case .mouse(let mouse): return handle(mouse)
        case .resized(let size):
            self.size = size
            return []
        case .found(let found): return take(found)
        case .edited(let edited, let isUndo): return take(edited, isUndo: isUndo)
        case .failed(let text):
            warn(text)
            if let form = sent { layers.append(.form(form)) }
            sent = nil
        case .noted(let text): say(text)
        case .needsAccess(let subject, let status, let purpose, let retry):
            ask(for: subject, status, purpose: purpose, retry: retry)
        case .changed(let modules): return follow(modules)
        case .read(let row, let goesThere): return take(row, goesThere: goesThere)
        case .continued(let open, let title): return goOn(to: open, title: title)
        case .badge(let badge): take(badge)
        case .reminders(let reminders): take(reminders)
        case .due(let reminder):
            due.removeAll { $0.id == reminder.id }
            due.append(reminder)
            dueNotice = nil
        case .dueNotAllowed(let text): dueNotice = text
        case .completed(let completions, let text): take(completions, for: text)
        case .scanned(let text, let undo, let place):
            say(text)
            if !undo.isEmpty { undoing.append(.edits(undo)) }
            wanted = place?.url
            return [search(isSame: true)] + (place.map { [.read($0, goesThere: true)] } ?? [])
        case .world(let points): world = points
        case .typed(let typed): return take(typed)
        }
        return []
    }

    // MARK: - Answers

    private mutating func take(_ found: Found) -> [Request] {
        // Answers to former questions are of no interest any more.
        guard found.ticket == lastTicket else { return [] }
        var listing = listing
        listing.isSearching = !found.isFinal
        listing.failure = found.failure
        listing.remote = found.remote
        listing.elapsed = found.elapsed ?? listing.elapsed
        listing.hasMore = found.hasMore
        if found.failure == nil {
            let isSame = listing.text == line.text && !listing.rows.isEmpty
            listing.take(found.rows, keepingChoice: isSame)
            listing.text = line.text
            if let wanted, let row = listing.rows.firstIndex(where: { $0.id == wanted }) {
                listing.chosen = row
                listing.scroll(height: layout.list.height)
            }
            if found.isFinal { wanted = nil }
        } else {
            listing.take([], keepingChoice: false)
        }
        self.listing = listing
        guard !isBehind else { return [] }
        let commands = waiting
        waiting = []
        return commands.flatMap { perform($0) }
    }

    private mutating func take(_ edited: Edited, isUndo: Bool) -> [Request] {
        sent = nil
        if !isUndo, let undo = edited.undo { undoing.append(.edits([undo])) }
        if !edited.message.isEmpty { say(edited.message) }
        var requests = [search(isSame: true)]
        if let place = edited.place {
            wanted = place.url
            // What was opened shows what it is now.
            if layers.contains(where: { if case .detail(let row, _) = $0 { row.id == place.url } else { false } }) {
                requests.append(.read(place, goesThere: false))
            }
        } else {
            layers.removeAll { if case .detail = $0 { true } else { false } }
        }
        if layers.contains(where: { if case .reminders = $0 { true } else { false } }) { requests.append(.reminders) }
        if case .badge? = layers.last { requests.append(.badge) }
        return requests
    }

    private mutating func take(_ row: Row?, goesThere: Bool) -> [Request] {
        guard let row else {
            if goesThere { warn("it is there no more") }
            return []
        }
        var isShown = false
        for index in layers.indices {
            if case .detail(let old, let top) = layers[index], old.id == row.id {
                layers[index] = .detail(row, top: top)
                isShown = true
            }
        }
        guard goesThere, !isShown else { return [] }
        layers.append(.detail(row, top: 0))
        isInList = true
        return row.result.map { [.show($0)] } ?? []
    }

    private mutating func take(_ badge: OwnBadge) {
        guard case .badge? = layers.last else { return }
        if case .none = badge {
            layers.removeLast()
            layers.append(.form(Form(.me(.init()))))
            say("nothing stands on your badge yet; fill it in")
        } else {
            layers[layers.count - 1] = .badge(badge)
        }
    }

    private mutating func take(_ reminders: [Reminder]) {
        for index in layers.indices {
            if case .reminders(var listing) = layers[index] {
                listing.take(reminders.map { Row(.reminder($0)) }, keepingChoice: true)
                listing.isSearching = false
                layers[index] = .reminders(listing)
            }
        }
    }

    private mutating func take(_ completions: [String], for text: String) {
        guard case .prompt(var prompt)? = layers.last, prompt.field.text == text else { return }
        prompt.complete(with: completions)
        layers[layers.count - 1] = .prompt(prompt)
    }

    // MARK: - Consent

    private mutating func ask(
        for subject: AccessSubject, _ status: AccessStatus, purpose: String, retry: Request
    ) {
        guard status == .notDetermined else {
            warn("access to \(subject.rawValue) is denied; 'switchboard access grant \(subject.rawValue)' allows it")
            return
        }
        layers.append(
            .question(
                Layer.Question(
                    text: "\(purpose)\n\nAllow \(subject.rawValue)?", yes: [.grant(subject, true, then: retry)],
                    no: [.grant(subject, false, then: nil)])))
    }

    // MARK: - Changes by others

    private mutating func follow(_ modules: Set<String>) -> [Request] {
        var requests = [search(isSame: true)]
        for layer in layers {
            switch layer {
            case .detail(let row, _):
                if let result = row.result { requests.append(.read(result.place, goesThere: false)) }
            case .reminders: requests.append(.reminders)
            default: break
            }
        }
        return requests
    }

    /// Goes where an activity leads.
    private mutating func goOn(to open: String, title: String) -> [Request] {
        guard let place = DeepLink(url: open) else {
            say("\(title) leads to \(open)")
            return []
        }
        switch place.kind {
        case .find:
            layers = []
            (tab, isInList) = (.find, false)
            line = TextField(place.id)
            return [search()]
        case .activity:
            say("\(title) is current again")
            return [search(isSame: true)]
        default: return [.read(place, goesThere: true)]
        }
    }
}
