/// What kind of thing a result is.
///
/// The order of the cases is the order of results that match equally well.
public enum ResultKind: String, Sendable, CaseIterable, Codable {
    /// A person or company of the address book.
    case contact
    /// Somebody whose badge was scanned.
    case prospect
    /// An airport, or a city with its airports.
    case airport
    /// What an app has put into the index.
    case item
}
