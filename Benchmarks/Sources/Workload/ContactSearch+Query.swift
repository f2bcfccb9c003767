public import SwitchboardContacts
import SwitchboardKeypad

extension ContactSearch {
    /// The first ten contacts for a question, as a front end gets them: read from the database, with highlights.
    public func answer(_ query: ContactQuery) throws -> [ContactHit] {
        query.kind.isKeypad ? try dial(KeypadQuery(parsing: query.text)) : try find(query.text)
    }
}
