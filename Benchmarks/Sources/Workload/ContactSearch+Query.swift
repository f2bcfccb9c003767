public import SwitchboardContacts
import SwitchboardKeypad

extension ContactSearch {
    /// Returns the first ten hits, as a front end receives them: read from the database, with highlights.
    public func run(_ query: ContactQuery) throws -> [ContactHit] {
        query.kind.isKeypad ? try dial(KeypadQuery(parsing: query.text)) : try find(query.text)
    }
}
