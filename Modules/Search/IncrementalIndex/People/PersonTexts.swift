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
        case unfolded(String)
    }

    private var contents: [Content] = []
    /// For each text, `true` if it is a name and `false` if it is a detail such as a note.
    public private(set) var areNames: [Bool] = []
    /// For each text, the key of its field in highlights.
    public private(set) var keys: [String] = []
    private let makeNumbers: @Sendable () -> [[String]]

    /// The formats of each number: the international one with its `+` (the one that can be searched inside), the
    /// national one, and the one with the trunk prefix. ``PersonQueryPlan`` converts other ways to type a number to
    /// these. Computed at each access, because most searches need none.
    public var numbers: [[String]] { makeNumbers() }

    /// The positions of the texts.
    public var indices: Range<Int> { contents.indices }

    /// Returns the folded text at a position.
    public mutating func text(_ position: Int) -> FoldedText {
        switch contents[position] {
        case .folded(let text): return text
        case .unfolded(let source):
            let text = FoldedText(source)
            contents[position] = .folded(text)
            return text
        }
    }

    /// Creates the non-empty texts of a person, which are folded when they are first needed.
    public init<Field: PersonTextField>(
        _ texts: [Text<Field>], numbers: @escaping @autoclosure @Sendable () -> [[String]]
    ) {
        makeNumbers = numbers
        for (field, position, text) in texts where !text.isEmpty {
            contents.append(.unfolded(text))
            areNames.append(field.isName)
            keys.append(field.key(at: position))
        }
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

    /// Parses serialized texts; nil for another version or corrupt data.
    public init?<Field: PersonTextField>(
        _ data: Data, of field: Field.Type, numbers: @escaping @autoclosure @Sendable () -> [[String]] = []
    ) {
        makeNumbers = numbers
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
                contents.append(.folded(text))
                areNames.append(field.isName)
                keys.append(field.key(at: position))
            }
            return true
        }
        guard isValid else { return nil }
    }

    /// Parses stored texts, or those of the person if the stored ones are outdated or corrupt; nil without a person.
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
