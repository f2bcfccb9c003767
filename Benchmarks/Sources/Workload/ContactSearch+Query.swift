public import SwitchboardContacts
public import SwitchboardIncrementalIndex
import SwitchboardKeypad

extension ContactSearch {
    /// Returns the first ten hits as a front end receives them: read from the database, with highlights.
    public func run(_ query: ContactQuery) throws -> SearchResults<PersonHit<Contact>> {
        try search(SearchInput(query.text, keypad: query.kind.isKeypad))
    }
}
