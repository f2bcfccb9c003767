import SwitchboardVCard

/// The maximum sizes of a contact in bytes of UTF-8. Searches read all texts of a contact, and lists contain them.
extension Contact {
    /// The maximum size of a name and of all other short fields.
    public static let largestName = 1 << 10
    /// The maximum size of a web address.
    public static let largestURL = 8 << 10
    /// The maximum size of the note.
    public static let largestNote = 64 << 10
    /// The maximum size of the whole contact without its photo.
    public static let largestContact = 1 << 20

    /// The first field that is too long, with its limit; nil if there is none.
    var excess: (field: String, limit: Int)? {
        var total = 0
        func exceeds(_ text: String, _ limit: Int) -> Bool {
            total += text.utf8.count
            return text.utf8.count > limit
        }
        let short: [(field: String, texts: [String])] = [
            ("name", [name.prefix, name.given, name.middle, name.family, name.suffix, formattedName]),
            ("nickname", [nickname]), ("phonetic name", [phoneticGivenName, phoneticFamilyName]),
            ("organization", [organization]), ("department", [department]), ("title", [title]),
            ("birthday", [birthday]), ("phone", phones.flatMap { [$0.number.text, $0.label] }),
            ("email", emails.flatMap { [$0.address, $0.label] }),
            ("address", addresses.flatMap { $0.allComponents + [$0.label] }), ("group", groups),
        ]
        for (field, texts) in short where texts.contains(where: { exceeds($0, Contact.largestName) }) {
            return (field, Contact.largestName)
        }
        if urls.contains(where: { exceeds($0.url, Contact.largestURL) }) { return ("url", Contact.largestURL) }
        if exceeds(note, Contact.largestNote) { return ("note", Contact.largestNote) }
        _ = otherProperties.contains { exceeds($0, .max) }
        return total > Contact.largestContact ? ("contact", Contact.largestContact) : nil
    }

    /// Checks the sizes of all fields.
    ///
    /// - Throws: ``ContactBookError/tooLong(field:limit:)``.
    func checkSizes() throws(ContactBookError) {
        if let excess { throw .tooLong(field: excess.field, limit: excess.limit) }
    }

    /// Checks the sizes of all fields of an imported contact.
    func checkSizes(line: Int) throws(MalformedInput) {
        guard let excess else { return }
        throw MalformedInput(line: line, reason: "\(excess.field): longer than \(excess.limit >> 10) KiB")
    }
}
