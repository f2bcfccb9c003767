import SwitchboardKeypad

// Words are looked up on another thread. Until the word of a key is there, further keys of the form wait: whoever types a word, Tab and
// the next field means that word in this field.

extension Interface {
    /// Turns nine keys on or off.
    mutating func toggleNineKeys() -> [Request] {
        isNineKeys.toggle()
        say(
            isNineKeys
                ? "nine keys: in forms 2–9 type words; F9 ends that" : "digits are digits again; F9 for nine keys")
        return endRun()
    }

    /// What a key means to text entry in a form.
    ///
    /// - Returns: nil if it is none of its keys.
    mutating func handleNineKeys(_ key: Key, _ form: Form) -> [Request]? {
        if let run, run.isWaiting {
            if key == .escape {
                forgetRun()
                return nil
            }
            held.append(key)
            return []
        }
        guard isNineKeys, form.takesWords, let entryKey = entryKey(key) else { return nil }
        if run == nil {
            lastRun += 1
            run = NineKeyRun(number: lastRun, before: form.before)
        }
        run?.isWaiting = true
        return [.type(entryKey, run: lastRun)]
    }

    private func entryKey(_ key: Key) -> EntryKey? {
        switch key {
        case .character(" "): return .space
        case .character(let character):
            // Backspace takes back what it stands behind, < is a letter as any other.
            let entryKey = EntryKey(character)
            return entryKey == .delete ? nil : entryKey
        case .backspace, .control("h"): return run?.typed.text.isEmpty ?? true ? nil : .delete
        default: return nil
        }
    }

    /// Takes what keys have typed, and goes on with the keys that waited for it.
    mutating func take(_ typed: Typed) -> [Request] {
        guard let run, run.typed.run == typed.run, case .form(var form)? = layers.last else { return [] }
        form.replaceBefore(run.before + typed.text)
        layers[layers.count - 1] = .form(form)
        self.run?.typed = typed
        self.run?.isWaiting = false
        if let failure = typed.failure { warn(failure) }
        var requests: [Request] = []
        while !held.isEmpty, !(self.run?.isWaiting ?? false) { requests += handle(.key(held.removeFirst())) }
        return requests
    }

    /// Ends the word under way: it was meant.
    mutating func endRun() -> [Request] {
        defer { run = nil }
        return run.map { [.type(nil, run: $0.typed.run)] } ?? []
    }

    /// Leaves the word under way: it may not have been meant.
    mutating func forgetRun() {
        run = nil
        held = []
    }
}
