enum EmailKey {
    /// Returns the address in lower case: in practice, no mail system distinguishes `Ana@example.org` from
    /// `ana@example.org`.
    static func key(of address: String) -> String { address.lowercased() }

    /// Returns true if a text can be an address: it has text on both sides of an @ and no whitespace.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count >= 2 && !(parts.first ?? "").isEmpty && !(parts.last ?? "").isEmpty
            && !text.contains(where: \.isWhitespace)
    }
}
