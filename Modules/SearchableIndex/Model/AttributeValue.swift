public import Foundation

/// A value of an attribute, as items hold it and queries compare it.
public enum AttributeValue: Sendable, Hashable {
    case text(String)
    case number(Double)
    case date(Date)
    case flag(Bool)
}
