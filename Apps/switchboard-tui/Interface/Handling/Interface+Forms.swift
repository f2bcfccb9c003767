import Foundation
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardReminders

extension Interface {
    /// Handles a key in a form, first as keypad typing, then as an editing key.
    mutating func handle(_ key: Key, _ form: Form) -> [Request] {
        if form.isSubmitted {
            heldKeys.append(key)
            return []
        }
        if let requests = handleKeypadTyping(key, form) { return requests }
        if keyTable.command(of: key, isListFocused: false) == .keypadTyping { return toggleKeypadTyping() }
        // Words from a canceled form must not be learned.
        if key == .escape { discardKeypadSession() }
        return endKeypadSession() + fill(in: form, key)
    }

    private mutating func fill(in form: Form, _ key: Key) -> [Request] {
        var form = form
        switch key {
        case .escape:
            overlays.removeLast()
            if form.isChanged {
                undoStack.append(.form(form))
                inform("not saved; \(keyName(of: .undo)) reopens the form")
            }
            return []
        case .enter where form.selected + 1 >= form.fields.count, .control("s"):
            guard form.isChanged else {
                overlays.removeLast()
                inform("nothing changed")
                return []
            }
            form.isSubmitted = true
            overlays[overlays.count - 1] = .form(form)
            inform("saving…")
            return [.perform(form.edit)]
        case .enter: form.move(by: 1)
        default: if let distance = key.distance(tab: true) { form.move(by: distance) } else { form.edit(key) }
        }
        overlays[overlays.count - 1] = .form(form)
        return []
    }

    mutating func handle(_ key: Key, _ prompt: Overlay.Prompt) -> [Request] {
        var prompt = prompt
        if prompt.isCompleting && key != .escape || prompt.isSubmitted {
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
            return send(text, prompt)
        case .tab, .down:
            guard prompt.kind.isPath else { return [] }
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
        let request: Request
        switch prompt.kind {
        case .scan:
            inform("reading \(text)…")
            request = .scan(text)
        case .location: request = .setLocation(text)
        case .importContacts:
            inform("reading \(text)…")
            request = .importContacts(text)
        case .exportContacts:
            let marked = markedContacts.map(\.object)
            request = .exportContacts(text, group: group, ids: marked.isEmpty ? nil : marked)
        case .remind(let ids):
            do throws(RemindersError) {
                let time = try ReminderTime(typed: text, allowingDelay: true)
                request = .perform(bulk(ids.map { .remind($0, time) }))
            } catch {
                warn(error.message)
                return []
            }
        }
        var prompt = prompt
        prompt.isSubmitted = true
        overlays[overlays.count - 1] = .prompt(prompt)
        return [request]
    }

    // MARK: - Reminders

    mutating func handle(_ key: Key, reminders listing: Listing) -> [Request] {
        var listing = listing
        switch key {
        case .escape, .left, .character("q"):
            overlays.removeLast()
            return []
        case .home, .character("g"): listing.move(by: -listing.rows.count)
        case .end, .character("G"): listing.move(by: listing.rows.count)
        case .character("?"): return perform(.help)
        default:
            guard let command = keyTable.command(of: key, isListFocused: true),
                [.open, .contacted, .remove, .undo].contains(command)
            else {
                listing.move(by: key.distance(page: 10, letters: true) ?? 0)
                break
            }
            if command == .undo { return perform(.undo) }
            guard case .reminder(let reminder)? = listing.row?.content else { return [] }
            if command == .open { return [.reload(DeepLink(kind: .prospect, id: reminder.subject), opens: true)] }
            if command == .contacted { return [.perform(.setContacted(reminder.subject, to: true, reminder: nil))] }
            guard reminder.state == .pending else {
                warn("\(reminder.title) is already \(reminder.state.rawValue)")
                return []
            }
            return [.perform(.cancelReminder(reminder.subject))]
        }
        overlays[overlays.count - 1] = .reminders(listing)
        return []
    }
}

// Words are looked up on another thread. Later keys of the form wait until the word arrives, so fast typing followed by
// Tab puts the word into the right field.

extension Interface {
    /// Turns keypad typing on or off.
    mutating func toggleKeypadTyping() -> [Request] {
        isKeypadTyping.toggle()
        inform(
            isKeypadTyping
                ? "keypad typing on: 2–9 type words in forms; F9 turns it off" : "keypad typing off; F9 turns it on")
        return endKeypadSession()
    }

    /// Handles a key of keypad typing in a form.
    ///
    /// - Returns: nil if the key is not part of keypad typing.
    mutating func handleKeypadTyping(_ key: Key, _ form: Form) -> [Request]? {
        if let keypadSession, keypadSession.isWaiting {
            if key == .escape {
                discardKeypadSession()
                return nil
            }
            heldKeys.append(key)
            return []
        }
        guard isKeypadTyping, form.takesWords, let entryKey = entryKey(key) else { return nil }
        if keypadSession == nil {
            lastKeypadSession += 1
            let update = KeypadUpdate(session: lastKeypadSession, text: "")
            keypadSession = KeypadSession(before: form.before, lastUpdate: update)
        }
        keypadSession?.isWaiting = true
        return [.pressKeypad(entryKey, session: lastKeypadSession)]
    }

    private func entryKey(_ key: Key) -> EntryKey? {
        switch key {
        case .character(" "): return .space
        case .character(let character):
            // Only Backspace deletes; < types itself.
            let entryKey = EntryKey(character)
            return entryKey == .delete ? nil : entryKey
        case .backspace, .control("h"): return keypadSession?.lastUpdate.text.isEmpty ?? true ? nil : .delete
        default: return nil
        }
    }

    /// Applies an update, then handles the keys that waited for it.
    mutating func apply(_ update: KeypadUpdate) -> [Request] {
        guard let keypadSession, keypadSession.lastUpdate.session == update.session,
            case .form(var form)? = overlays.last
        else { return [] }
        form.replaceBefore(keypadSession.before + update.text)
        overlays[overlays.count - 1] = .form(form)
        self.keypadSession?.lastUpdate = update
        self.keypadSession?.isWaiting = false
        if let failure = update.failure { warn(failure) }
        return handleHeldKeys()
    }

    /// Ends the session and learns its last word.
    mutating func endKeypadSession() -> [Request] {
        defer { keypadSession = nil }
        return keypadSession.map { [.pressKeypad(nil, session: $0.lastUpdate.session)] } ?? []
    }

    /// Ends the session without learning its last word.
    mutating func discardKeypadSession() {
        keypadSession = nil
        heldKeys = []
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

    mutating func selectCompletion(_ distance: Int) {
        guard !completions.isEmpty else { return }
        let next = selectedCompletion.map { $0 + distance } ?? (distance > 0 ? 0 : completions.count - 1)
        let index = (next % completions.count + completions.count) % completions.count
        selectedCompletion = index
        field.text = completions[index]
    }
}
