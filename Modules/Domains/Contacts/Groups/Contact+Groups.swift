import SwitchboardVCard

extension Contact {
    /// Puts the contact into a group, once.
    ///
    /// Google's "myContacts" is everybody, and its "starred" are the favourites.
    mutating func addGroup(_ name: String) {
        var name = name.trimmingWhitespace
        // Google's own groups have an asterisk in its tables.
        while name.hasPrefix("* ") { name = String(name.dropFirst(2)).trimmingWhitespace }
        switch name.lowercased() {
        case "", "mycontacts": return
        case "starred", "starred in android": isFavourite = true
        default: if !groups.contains(name) { groups.append(name) }
        }
    }
}
