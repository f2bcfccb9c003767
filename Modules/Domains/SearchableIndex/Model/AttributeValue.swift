public import Foundation

/// A value of an attribute.
public enum AttributeValue: Sendable, Hashable {
    /// A string; also a URL or a path.
    case text(String)
    /// A number.
    case number(Double)
    /// A date.
    case date(Date)
    /// A Boolean value.
    case flag(Bool)
    /// Binary data, such as a picture. Queries cannot compare it.
    case data(Data)
    /// A person; queries compare the name.
    case person(IndexedPerson)
}

/// A person as an author or recipient of an item.
public struct IndexedPerson: Sendable, Hashable {
    /// The name for display.
    public var name: String
    /// Phone numbers.
    public var phones: [String]
    /// E-mail addresses.
    public var emails: [String]

    /// Creates a person.
    public init(name: String, phones: [String] = [], emails: [String] = []) {
        self.name = name
        self.phones = phones
        self.emails = emails
    }
}
