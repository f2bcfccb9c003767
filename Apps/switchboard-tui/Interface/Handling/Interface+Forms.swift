extension Interface {
    /// Handles a key in a form: first as keypad typing, then as editing.
    mutating func handle(_ key: Key, _ form: Form) -> [Request] {
        if let requests = handleKeypadTyping(key, form) { return requests }
        if KeyTable.command(of: key, isListFocused: false) == .keypadTyping { return toggleKeypadTyping() }
        // A cancelled form teaches no words.
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
                inform("not saved; u reopens the form")
            }
            return []
        case .enter where form.selected + 1 >= form.fields.count, .control("s"):
            overlays.removeLast()
            guard form.isChanged else {
                inform("nothing changed")
                return []
            }
            submittedForm = form
            return [.perform(form.edit)]
        case .enter: form.move(by: 1)
        default: if let distance = key.distance(tab: true) { form.move(by: distance) } else { form.edit(key) }
        }
        overlays[overlays.count - 1] = .form(form)
        return []
    }
}
