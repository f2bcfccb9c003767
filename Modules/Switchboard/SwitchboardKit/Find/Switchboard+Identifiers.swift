import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardProspects
import SwitchboardTextNormalization

extension Switchboard {
    /// The minimum length of an abbreviated identifier.
    private static let shortestPrefix = 4

    /// Returns the identifier of the contact that a text refers to by its identifier, a prefix of it, or its name.
    ///
    /// - Returns: The text itself if it refers to no contact.
    /// - Throws: ``SwitchboardError`` if the text is ambiguous, `StorageError`.
    public func contactIdentifier(_ text: String) throws -> String {
        let book = try contacts
        do {
            return try book.contact(text).id
        } catch ContactBookError.notFound {
            return try identifier(text, "contacts") { body in
                try book.forEach { try body(SearchResult($0)) }
            } named: {
                try searchContacts(SearchInput(text), limit: 50).results
            }
        }
    }

    /// Returns the identifier of the prospect that a text refers to, like ``contactIdentifier(_:)`` for contacts.
    public func prospectIdentifier(_ text: String) throws -> String {
        let prospects = try prospects
        do {
            return try prospects.prospect(text).id
        } catch ProspectsError.notFound {
            return try identifier(text, "prospects") { body in
                try prospects.forEach { try body(SearchResult($0)) }
            } named: {
                try searchProspects(SearchInput(text), limit: 50).results
            }
        }
    }

    private func identifier(
        _ text: String, _ kind: String, among forEachRow: ((SearchResult) throws -> Void) throws -> Void,
        named search: () throws -> [SearchResult]
    ) throws -> String {
        var rows: [SearchResult] = []
        if text.count >= Self.shortestPrefix, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            try forEachRow { if $0.id.hasPrefix(text.lowercased()) { rows.append($0) } }
        }
        if rows.isEmpty, !text.allSatisfy(\.isWhitespace) {
            // Match only whole words of a name: a prefix could remove a person by accident.
            let name = NameKey(text)
            let named = try search().filter { !name.words.isEmpty && NameKey($0.title).contains(name) }
            let whole = named.filter { NameKey($0.title).text == name.text }
            rows = whole.isEmpty ? named : whole
        }
        guard rows.count > 1 else { return rows.first?.id ?? text }
        let list = rows.prefix(5).map { "\($0.id) \($0.title)" }.joined(separator: ", ")
        throw SwitchboardError.usage(
            "“\(text)” means \(rows.count) \(kind): \(list)\(rows.count > 5 ? ", …" : ""); use an identifier")
    }
}
