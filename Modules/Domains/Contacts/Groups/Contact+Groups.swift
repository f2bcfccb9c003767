import SwitchboardVCard

extension Contact {
    /// Adds the contact to a group.
    ///
    /// Google's group "myContacts" is ignored, and "starred" marks favorites.
    mutating func addGroup(_ name: String) {
        var name = name.trimmingWhitespace
        // Google's CSV marks system groups with an asterisk.
        while name.hasPrefix("* ") { name = String(name.dropFirst(2)).trimmingWhitespace }
        switch name.lowercased() {
        case "", "mycontacts": return
        case "starred", "starred in android": isFavourite = true
        default: if !groups.contains(name) { groups.append(name) }
        }
    }
}
