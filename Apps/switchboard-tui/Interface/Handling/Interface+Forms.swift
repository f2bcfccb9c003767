extension Interface {
    /// What a key does in a form: first for the word under way, then for the form.
    mutating func handle(_ key: Key, _ form: Form) -> [Request] {
        if let requests = handleNineKeys(key, form) { return requests }
        if KeyTable.command(of: key, isInList: false) == .nineKeys { return toggleNineKeys() }
        // Only what was left may not have been meant.
        if key == .escape { forgetRun() }
        return endRun() + fill(in: form, key)
    }

    private mutating func fill(in form: Form, _ key: Key) -> [Request] {
        var form = form
        switch key {
        case .escape:
            layers.removeLast()
            if form.isChanged {
                undoing.append(.form(form))
                say("not kept; u brings back what was typed")
            }
            return []
        case .enter where form.chosen + 1 >= form.fields.count, .control("s"):
            layers.removeLast()
            guard form.isChanged else {
                say("nothing was changed")
                return []
            }
            sent = form
            return [.perform(form.edit)]
        case .enter, .tab, .down, .control("n"): form.move(by: 1)
        case .backTab, .up, .control("p"): form.move(by: -1)
        default: form.edit(key)
        }
        layers[layers.count - 1] = .form(form)
        return []
    }
}
