import SwitchboardKeypad

// Words are looked up on another thread. Until the word of a key arrives, later keys of the form wait, so that fast typing
// followed by Tab puts the word into the right field.

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
            keypadSession = KeypadSession(number: lastKeypadSession, before: form.before)
        }
        keypadSession?.isWaiting = true
        return [.pressKeypad(entryKey, session: lastKeypadSession)]
    }

    private func entryKey(_ key: Key) -> EntryKey? {
        switch key {
        case .character(" "): return .space
        case .character(let character):
            // Only Backspace deletes; < is typed as it is.
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

    /// Ends the session; its last word is learnt.
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
