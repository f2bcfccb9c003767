public import Foundation
public import SwitchboardTextNormalization

/// A searchable text field of a person. Its raw value identifies it in the stored texts.
public protocol PersonTextField: RawRepresentable<UInt8>, Sendable {
    /// `true` if a field may have several texts and the position of each is stored.
    static var hasPositions: Bool { get }
    /// `true` if the texts of the field are names of the person, `false` for details such as a note.
    var isName: Bool { get }
    /// Returns the key of the text at a position of the field, in highlights.
    func key(at position: Int) -> String
}

/// The searchable texts and numbers of a person.
///
/// The texts are folded and serialized when the person is stored, so that searching and indexing need no ICU.
public struct PersonTexts: Sendable {
    /// A text of a person before folding.
    public typealias Text<Field> = (field: Field, position: Int, text: String)

    /// A text, which is folded when it is first needed.
    private enum Content {
        case folded(FoldedText)
        case utf8(ArraySlice<UInt8>)
    }

    private struct Entry {
        var content: Content
        var isName: Bool
        /// The raw value of the field, and the position of the text in it.
        var field: UInt8
        var position: Int
    }

    private var entries: [Entry] = []
    private let key: @Sendable (_ field: UInt8, _ position: Int) -> String
    private let makeNumbers: @Sendable () -> [[String]]

    /// The formats of each number: the international one with its `+`, which is the only one that infix search covers,
    /// the national one, and the one with the trunk prefix. ``PersonQueryPlan`` converts other ways of typing a number
    /// to these. Computed on each access, because most searches need none.
    public var numbers: [[String]] { makeNumbers() }

    /// The positions of the texts.
    public var indices: Range<Int> { entries.indices }

    /// Returns the positions of the texts of a field.
    func positions(in field: PersonField) -> some Sequence<Int> {
        indices.lazy.filter { isName($0) == (field != .details) }
    }

    /// Returns `true` if the text at a position is a name, `false` if it is a detail such as a note.
    public func isName(_ position: Int) -> Bool { entries[position].isName }

    /// Returns the key of the text at a position in highlights.
    public func key(of position: Int) -> String { key(entries[position].field, entries[position].position) }

    /// Returns the folded text at a position.
    public mutating func text(_ position: Int) -> FoldedText {
        switch entries[position].content {
        case .folded(let text): return text
        case .utf8(let bytes):
            let text = FoldedText(String(decoding: bytes, as: UTF8.self))
            entries[position].content = .folded(text)
            return text
        }
    }

    /// Returns the words of the text at a position if they need no folding, or nil for other texts.
    func plainWords(_ position: Int) -> PlainWords? {
        if case .utf8(let bytes) = entries[position].content { PlainWords(bytes) } else { nil }
    }

    /// Creates an empty collection of texts.
    public init<Field: PersonTextField>(
        of _: Field.Type, numbers: @escaping @autoclosure @Sendable () -> [[String]] = []
    ) {
        key = { field, position in Field(rawValue: field)?.key(at: position) ?? "" }
        entries.reserveCapacity(4)
        makeNumbers = numbers
    }

    /// Adds a UTF-8 text unless it is empty. The text is folded when it is first needed.
    public mutating func append<Field: PersonTextField>(_ text: ArraySlice<UInt8>, _ field: Field, _ position: Int = 0)
    {
        if !text.isEmpty { append(.utf8(text), field, position) }
    }

    private mutating func append<Field: PersonTextField>(_ content: Content, _ field: Field, _ position: Int) {
        entries.append(Entry(content: content, isName: field.isName, field: field.rawValue, position: position))
    }

    /// The version of the serialized texts.
    private static let version: UInt8 = 1

    /// Folds and serializes the non-empty texts of a person.
    ///
    /// Format: the version, then for each text the field, the position (at most 255) if fields have positions, and the
    /// bytes of the text.
    public static func serialized<Field: PersonTextField>(_ texts: [Text<Field>]) -> Data {
        var bytes: [UInt8] = [version]
        for (field, position, text) in texts where !text.isEmpty {
            bytes.append(field.rawValue)
            if Field.hasPositions { bytes.append(UInt8(clamping: position)) }
            FoldedText(text).serialize(into: &bytes)
        }
        return Data(bytes)
    }

    /// Parses serialized texts. Returns nil for another version or corrupt data.
    public init?<Field: PersonTextField>(
        _ data: Data, of field: Field.Type, numbers: @escaping @autoclosure @Sendable () -> [[String]] = []
    ) {
        self.init(of: field, numbers: numbers())
        // Safe: the buffer is only used during the call, and its subscript checks the bounds.
        let isValid = unsafe data.withUnsafeBytes { bytes in
            guard unsafe bytes.first == PersonTexts.version else { return false }
            var offset = 1
            while offset < bytes.count {
                guard let field = unsafe Field(rawValue: bytes[offset]) else { return false }
                offset += 1
                var position = 0
                if Field.hasPositions {
                    guard offset < bytes.count else { return false }
                    position = unsafe Int(bytes[offset])
                    offset += 1
                }
                guard let text = unsafe FoldedText(serialized: bytes, at: &offset) else { return false }
                append(.folded(text), field, position)
            }
            return true
        }
        guard isValid else { return nil }
    }

    /// Parses stored texts or, if they are outdated or corrupt, the texts of the person. Returns nil if there is no
    /// person.
    public init?<Field: PersonTextField>(
        stored data: Data, of field: Field.Type, numbers: @escaping @autoclosure @Sendable () -> [[String]],
        orSerialized person: () throws -> Data?
    ) rethrows {
        if let texts = PersonTexts(data, of: field, numbers: numbers()) {
            self = texts
        } else {
            guard let data = try person() else { return nil }
            self.init(data, of: field, numbers: numbers())
        }
    }
}
