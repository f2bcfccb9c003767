public import Foundation

/// A value of an attribute, as items hold it and queries compare it.
public enum AttributeValue: Sendable, Hashable {
    /// A text, also one that is an address of the web or a file.
    case text(String)
    /// A number.
    case number(Double)
    /// A moment.
    case date(Date)
    /// Yes or no.
    case flag(Bool)
    /// Bytes, such as a picture. No query compares them.
    case data(Data)
    /// Somebody; for queries their name.
    case person(IndexedPerson)
}

/// Somebody an item is by or for.
public struct IndexedPerson: Sendable, Hashable {
    /// The name as it is shown.
    public var name: String
    /// Phone numbers.
    public var phones: [String]
    /// E-mail addresses.
    public var emails: [String]

    /// Somebody; see the properties.
    public init(name: String, phones: [String] = [], emails: [String] = []) {
        self.name = name
        self.phones = phones
        self.emails = emails
    }
}
