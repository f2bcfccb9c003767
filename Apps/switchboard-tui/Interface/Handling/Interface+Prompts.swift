import Foundation
import SwitchboardReminders
import SwitchboardKit

extension Interface {
    mutating func handle(_ key: Key, _ prompt: Layer.Prompt) -> [Request] {
        var prompt = prompt
        switch key {
        case .escape:
            layers.removeLast()
            return []
        case .enter:
            let text = prompt.field.text
            guard !text.isEmpty else {
                say("nothing is typed; Esc leaves")
                return []
            }
            layers.removeLast()
            return send(text, prompt)
        case .tab, .down:
            guard case .scan = prompt.purpose else { return [] }
            if prompt.completions.isEmpty { return [.complete(prompt.field.text)] }
            prompt.take(1)
        case .backTab, .up: prompt.take(-1)
        default:
            if prompt.field.edit(key) { (prompt.completions, prompt.taken) = ([], nil) }
        }
        layers[layers.count - 1] = .prompt(prompt)
        return []
    }

    private mutating func send(_ text: String, _ prompt: Layer.Prompt) -> [Request] {
        switch prompt.purpose {
        case .scan:
            say("reading \(text) …")
            return [.scan(text)]
        case .place: return [.setPlace(text)]
        case .remind(let id):
            do {
                let letters = text.filter { $0.isLetter }
                let time: ReminderTime =
                    letters.isEmpty ? try ReminderTime(parsing: text) : .after(try ReminderDelay(parsing: text))
                return [.perform(.remind(id, time))]
            } catch {
                warn(error.message)
                layers.append(.prompt(prompt))
                return []
            }
        }
    }

    // MARK: - Reminders

    mutating func handle(_ key: Key, reminders listing: Listing) -> [Request] {
        var listing = listing
        switch key {
        case .escape, .left, .character("l"), .character("q"):
            layers.removeLast()
            return []
        case .down, .control("n"), .character("j"): listing.move(by: 1)
        case .up, .control("p"), .character("k"): listing.move(by: -1)
        case .pageDown: listing.move(by: 10)
        case .pageUp: listing.move(by: -10)
        case .home: listing.move(by: -listing.rows.count)
        case .end: listing.move(by: listing.rows.count)
        case .character("u"): return perform(.undo)
        case .character("?"): return perform(.help)
        case .enter, .character("d"), .delete, .character(" "):
            guard case .reminder(let reminder)? = listing.row?.content else { return [] }
            if key == .enter { return [.read(DeepLink(kind: .prospect, id: reminder.subject), goesThere: true)] }
            if key == .character(" ") { return [.perform(.setContacted(reminder.subject, true, nil))] }
            guard reminder.state == .pending else {
                warn("\(reminder.title) is \(reminder.state.rawValue) already")
                return []
            }
            return [.perform(.cancelReminder(reminder.subject))]
        default: break
        }
        layers[layers.count - 1] = .reminders(listing)
        return []
    }

    mutating func handle(_ key: Key, _ reminder: Reminder, chosen: Int) -> [Request] {
        let choices = ReminderChoice.allCases
        switch key {
        case .escape, .left:
            layers.removeLast()
            return []
        case .down, .control("n"), .tab, .character("j"):
            layers[layers.count - 1] = .choices(reminder, chosen: min(chosen + 1, choices.count))
        case .up, .control("p"), .backTab, .character("k"):
            layers[layers.count - 1] = .choices(reminder, chosen: max(chosen - 1, 0))
        case .enter:
            layers.removeLast()
            due.removeAll { $0.id == reminder.id }
            return [.answer(reminder, choices.indices.contains(chosen) ? choices[chosen] : nil)]
        default: break
        }
        return []
    }
}

extension Layer.Prompt {
    /// Takes what the line may go on with: the only one at once, of several what they have in common.
    mutating func complete(with completions: [String]) {
        guard let first = completions.first else { return }
        var common = first
        for completion in completions.dropFirst() { common = common.commonPrefix(with: completion) }
        if common.count > field.text.count { field.text = common }
        self.completions = completions.count > 1 ? completions : []
        taken = nil
    }

    /// Puts another of the completions into the line.
    mutating func take(_ distance: Int) {
        guard !completions.isEmpty else { return }
        let next = taken.map { $0 + distance } ?? (distance > 0 ? 0 : completions.count - 1)
        let place = (next % completions.count + completions.count) % completions.count
        taken = place
        field.text = completions[place]
    }
}
