/// The kind of a search result.
///
/// The order of the cases is the order of equally good results.
public enum ResultKind: String, Sendable, CaseIterable, Codable {
    /// A contact of the address book.
    case contact
    /// A prospect: a person whose badge was scanned.
    case prospect
    /// An airport, or a city with its airports.
    case airport
    /// An item that an app has put into the index.
    case item
}
