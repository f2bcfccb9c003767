import SwitchboardJSON

/// A parser of items from JSON: an array, one object, or JSON lines.
///
/// An item is `{"id": "…", "domain": "…", "expiresAt": "…", "isUpdate": false, "title": "…", …, "custom": {…}}`:
/// identifier, domain and expiration beside the attributes. `uniqueIdentifier`, `domainIdentifier`, `expirationDate`
/// and a nested `attributeSet` are accepted as well. Dates are ISO 8601, data is Base64.
///
/// For example:
///
/// ```swift
/// var reader = ItemReader(Array(text.utf8))
/// while let change = try reader.next() { changes.append(change) }
/// ```
public struct ItemReader {
    private var splitter: JSONObjectSplitter

    /// Creates a reader of items in memory.
    public init(_ bytes: [UInt8]) {
        var isRead = false
        splitter = JSONObjectSplitter {
            defer { isRead = true }
            return isRead ? [] : bytes
        }
    }

    /// Creates a reader of a stream. Memory use is bounded by the largest item.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end.
    public init(reading read: @escaping () throws -> [UInt8]) {
        splitter = JSONObjectSplitter(read: read)
    }

    /// Returns the next item, or `nil` at the end.
    ///
    /// - Throws: An ``ItemError`` with line and column, and rethrows errors of `read`.
    public mutating func next() throws -> ItemChange? {
        guard let draft = try nextDraft() else { return nil }
        return try draft.change()
    }

    /// Returns the next item unparsed, to be parsed later or on another thread.
    mutating func nextDraft() throws -> ItemDraft? { try splitter.next().map(ItemDraft.init) }
}

/// An item as unparsed JSON.
struct ItemDraft: Sendable {
    private let fragment: JSONObjectSplitter.Fragment

    init(_ fragment: JSONObjectSplitter.Fragment) { self.fragment = fragment }

    /// The position of the item in the input.
    var location: (line: Int, column: Int) { (fragment.line, fragment.column) }

    /// The approximate size in bytes.
    var size: Int { fragment.bytes.count }

    /// Parses the item.
    ///
    /// - Throws: An ``ItemError`` with line and column.
    func change() throws(ItemError) -> ItemChange {
        let value = try fragment.value()
        guard case .object(let members) = value else {
            throw fragment.error("expected an item as a JSON object", offset: 0)
        }
        var builder = ItemChangeBuilder()
        do throws(ItemMemberError) {
            try builder.add(members)
            return try builder.change()
        } catch {
            throw fragment.error(error.reason, item: builder.id, attribute: error.attribute, offset: error.offset)
        }
    }
}

/// An invalid member of an item, with its offset.
struct ItemMemberError: Error {
    let reason: String
    let attribute: String?
    let offset: Int
}
