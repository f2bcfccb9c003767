import Foundation
import SwitchboardKit
import SwitchboardReminders

extension Interface {
    mutating func handle(_ key: Key, _ prompt: Overlay.Prompt) -> [Request] {
        var prompt = prompt
        if prompt.isCompleting, key != .escape {
            heldKeys.append(key)
            return []
        }
        switch key {
        case .escape:
            heldKeys = []
            overlays.removeLast()
            return []
        case .enter:
            let text = prompt.field.text
            guard !text.isEmpty else {
                inform("type a value, or press Esc to cancel")
                return []
            }
            overlays.removeLast()
            return send(text, prompt)
        case .tab, .down:
            guard case .scan = prompt.kind else { return [] }
            if prompt.completions.isEmpty {
                prompt.isCompleting = true
                overlays[overlays.count - 1] = .prompt(prompt)
                return [.completePath(prompt.field.text)]
            }
            prompt.selectCompletion(1)
        case .backTab, .up: prompt.selectCompletion(-1)
        default:
            if prompt.field.edit(key) { (prompt.completions, prompt.selectedCompletion) = ([], nil) }
        }
        overlays[overlays.count - 1] = .prompt(prompt)
        return []
    }

    private mutating func send(_ text: String, _ prompt: Overlay.Prompt) -> [Request] {
        switch prompt.kind {
        case .scan:
            inform("reading \(text)…")
            return [.scan(text)]
        case .location: return [.setLocation(text)]
        case .remind(let id):
            do {
                let letters = text.filter { $0.isLetter }
                let time: ReminderTime =
                    letters.isEmpty ? try ReminderTime(parsing: text) : .after(try ReminderDelay(parsing: text))
                return [.perform(.remind(id, time))]
            } catch {
                warn(error.message)
                overlays.append(.prompt(prompt))
                return []
            }
        }
    }

    // MARK: - Reminders

    mutating func handle(_ key: Key, reminders listing: Listing) -> [Request] {
        var listing = listing
        switch key {
        case .escape, .left, .character("l"), .character("q"):
            overlays.removeLast()
            return []
        case .home: listing.move(by: -listing.rows.count)
        case .end: listing.move(by: listing.rows.count)
        case .character("u"): return perform(.undo)
        case .character("?"): return perform(.help)
        case .enter, .character("d"), .delete, .character(" "):
            guard case .reminder(let reminder)? = listing.row?.content else { return [] }
            if key == .enter { return [.reload(DeepLink(kind: .prospect, id: reminder.subject), opens: true)] }
            if key == .character(" ") { return [.perform(.setContacted(reminder.subject, to: true, reminder: nil))] }
            guard reminder.state == .pending else {
                warn("\(reminder.title) is already \(reminder.state.rawValue)")
                return []
            }
            return [.perform(.cancelReminder(reminder.subject))]
        default: listing.move(by: key.distance(page: 10, letters: true) ?? 0)
        }
        overlays[overlays.count - 1] = .reminders(listing)
        return []
    }

    mutating func handle(_ key: Key, _ reminder: Reminder, selected: Int) -> [Request] {
        let choices = ReminderChoice.allCases
        switch key {
        case .escape, .left:
            overlays.removeLast()
            return []
        case .enter:
            overlays.removeLast()
            dueReminders.removeAll { $0.id == reminder.id }
            return [.answer(reminder, choices.indices.contains(selected) ? choices[selected] : nil)]
        default:
            if let distance = key.distance(tab: true, letters: true) {
                let next = min(max(0, selected + distance), choices.count)
                overlays[overlays.count - 1] = .choices(reminder, selected: next)
            }
            return []
        }
    }
}

extension Overlay.Prompt {
    /// Inserts the common prefix of the completions, and lists them if there are several.
    mutating func complete(with completions: [String]) {
        guard let first = completions.first else { return }
        var common = first
        for completion in completions.dropFirst() { common = common.commonPrefix(with: completion) }
        if common.count > field.text.count { field.text = common }
        self.completions = completions.count > 1 ? completions : []
        selectedCompletion = nil
    }

    /// Selects the next or previous completion.
    mutating func selectCompletion(_ distance: Int) {
        guard !completions.isEmpty else { return }
        let next = selectedCompletion.map { $0 + distance } ?? (distance > 0 ? 0 : completions.count - 1)
        let index = (next % completions.count + completions.count) % completions.count
        selectedCompletion = index
        field.text = completions[index]
    }
}
