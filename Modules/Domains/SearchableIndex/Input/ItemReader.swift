/// Reads items from JSON: an array, one object, or one object after the other.
///
/// An item is `{"id": "…", "domain": "…", "expiresAt": "…", "isUpdate": false, "title": "…", …, "custom": {…}}`: identifier, domain and
/// expiry beside the attributes. `uniqueIdentifier`, `domainIdentifier`, `expirationDate` and a nested `attributeSet` are read
/// as well. Dates are ISO 8601, bytes Base64.
///
/// For example:
///
/// ```swift
/// var reader = ItemReader(Array(text.utf8))
/// while let change = try reader.next() { changes.append(change) }
/// ```
public struct ItemReader {
    private var pieces: JSONPieces

    /// Reads items from bytes.
    public init(_ bytes: [UInt8]) {
        var isRead = false
        pieces = JSONPieces {
            defer { isRead = true }
            return isRead ? [] : bytes
        }
    }

    /// Reads items from a stream, in memory bounded by the largest.
    ///
    /// - Parameter read: the next bytes; none at the end.
    public init(reading read: @escaping () throws -> [UInt8]) {
        pieces = JSONPieces(read: read)
    }

    /// The next item, or nil at the end.
    ///
    /// - Throws: ``ItemFault`` with line and column, and what the reading throws.
    public mutating func next() throws -> ItemChange? {
        guard let draft = try nextDraft() else { return nil }
        return try draft.change()
    }

    /// The next item as it is written, to be understood later or elsewhere.
    mutating func nextDraft() throws -> ItemDraft? { try pieces.next().map(ItemDraft.init) }
}

/// An item as it is written.
struct ItemDraft: Sendable {
    private let piece: JSONPieces.Piece

    init(_ piece: JSONPieces.Piece) { self.piece = piece }

    /// Where it begins in the input.
    var place: (line: Int, column: Int) { (piece.line, piece.column) }

    /// About how many bytes it holds.
    var size: Int { piece.bytes.count }

    /// The item.
    ///
    /// - Throws: ``ItemFault`` with line and column.
    func change() throws(ItemFault) -> ItemChange {
        let value: JSONValue
        do throws(JSONFault) {
            value = try piece.bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in
                try JSONReader.value(of: bytes)
            }
        } catch {
            let place = piece.place(of: error.offset)
            throw ItemFault(error.reason, line: place.line, column: place.column)
        }
        guard case .object(let members) = value else {
            throw ItemFault("expected an object", line: piece.line, column: piece.column)
        }
        var fields = ItemFields()
        do throws(ItemMistake) {
            try fields.add(members)
            return try fields.change()
        } catch {
            let place = piece.place(of: error.offset)
            throw ItemFault(
                error.reason, item: fields.id, attribute: error.attribute, line: place.line, column: place.column)
        }
    }
}

/// What is wrong with a member of an item, and where.
struct ItemMistake: Error {
    let reason: String
    let attribute: String?
    let offset: Int
}
