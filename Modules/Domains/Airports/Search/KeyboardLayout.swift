import CSwitchboardAirportCatalogue
import Foundation
import SwitchboardTextNormalization

/// A keyboard layout: the character of each key, for recovering text typed with the wrong layout.
///
/// A layout consists of four rows of keys, from the key under Escape to the one beside the right Shift, without and
/// with Shift. The same position in two layouts is the same physical key. The tables are in
/// `data/keyboards.tsv` of `CAirportCatalogue`. A space marks a key that writes nothing by itself, such as a
/// dead accent. If two keys write the same letter, the one in the lower row counts.
struct KeyboardLayout: Hashable, Sendable {
    /// The language, with a variant if a language has several layouts: `ru`, `bg-phonetic`.
    let id: String

    let plain: [Unicode.Scalar]
    let shifted: [Unicode.Scalar]
    /// The position of each letter: its key, minus the total number of keys if it needs Shift.
    private var positions: [Unicode.Scalar: Int] = [:]

    private init(_ cells: CellIterator) {
        var cells = cells
        id = cells.take().string
        let rows = (0..<8).map { _ in Array(cells.take().string.unicodeScalars) }
        plain = Array(rows[..<4].joined())
        shifted = Array(rows[4...].joined())
        for (key, letter) in shifted.enumerated() { positions[letter] = key - shifted.count }
        for (key, letter) in plain.enumerated() { positions[letter] = key }
    }

    /// Returns the key that writes a letter, and whether it needs Shift.
    func key(of letter: Unicode.Scalar) -> (key: Int, isShifted: Bool)? {
        guard let position = positions[letter] else { return nil }
        return position < 0 ? (position + shifted.count, true) : (position, false)
    }

    /// English, QWERTY (`us`).
    static let english = all[0]

    static func named(_ id: String) -> KeyboardLayout? {
        all.first { $0.id == id }
    }

    /// All layouts, English first.
    static let all: [KeyboardLayout] = {
        // Safe: the file is a constant of the program, given with its size.
        let table = unsafe TextTable(embedded: sb_keyboards)
        return (0..<table.count).map { KeyboardLayout(table.cells(of: $0)) }
    }()
}

// MARK: - Readings

/// A text as it would read with another keyboard layout.
struct LayoutReading: Hashable, Sendable {
    /// The text that the user meant.
    let text: String
    /// The layout that was active.
    let typed: KeyboardLayout
    /// The layout that the user intended.
    let meant: KeyboardLayout
}

/// Recovers text that was typed with the wrong keyboard layout.
///
/// For example, `фтлфкф` typed with the Russian layout is `ankara`, and `vjcrdf` typed with the English one is
/// `москва`.
enum WrongKeyboard {
    /// Returns the possible readings of a text for each pair of `home` and one of `layouts`, in the order of `layouts`,
    /// each distinct text once.
    ///
    /// Empty for a text without letters or with mixed alphabets. Linear in the length of the text for each layout.
    static func readings(
        of typed: String, home: KeyboardLayout = .english, layouts: [KeyboardLayout] = KeyboardLayout.all
    ) -> [LayoutReading] {
        // Accents are precomposed, as keyboards write them.
        let scalars = Array(typed.precomposedStringWithCanonicalMapping.unicodeScalars)
        var seen: Set<String> = [typed]
        var readings: [LayoutReading] = []
        for other in layouts where other != home {
            for (on, meant) in [(home, other), (other, home)] {
                for text in translations(of: scalars, from: on, to: meant)
                where seen.insert(text).inserted && text.contains(where: \.isLetter) {
                    readings.append(LayoutReading(text: text, typed: on, meant: meant))
                }
            }
        }
        return readings
    }

    /// Returns the text on other keys; empty if a letter is missing from the layout that was active.
    ///
    /// There are two results if lam and alef are adjacent in Arabic: they may have been typed with one key or two.
    private static func translations(
        of scalars: [Unicode.Scalar], from on: KeyboardLayout, to meant: KeyboardLayout
    ) -> [String] {
        LamAlef.variants(of: scalars, on: on).compactMap { translation(of: $0, from: on, to: meant) }
    }

    private static func translation(
        of scalars: [Unicode.Scalar], from on: KeyboardLayout, to meant: KeyboardLayout
    ) -> String? {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            // The space bar and the digits of a number pad write the same with every layout.
            if scalar == " " || ("0"..."9").contains(scalar) {
                text.append(scalar)
            } else if let written = meant.scalar(onKeyOf: scalar, of: on) {
                text.append(contentsOf: LamAlef.letters[written] ?? [written])
            } else {
                return nil
            }
        }
        return String(text)
    }
}

extension KeyboardLayout {
    /// Returns the character that this layout writes with the key and Shift state that write `scalar` on another
    /// layout.
    fileprivate func scalar(onKeyOf scalar: Unicode.Scalar, of other: KeyboardLayout) -> Unicode.Scalar? {
        guard let (key, isShifted) = other.key(of: scalar) else { return nil }
        return (isShifted ? written(shifted, key) : nil) ?? written(plain, key)
    }

    private func written(_ keys: [Unicode.Scalar], _ key: Int) -> Unicode.Scalar? {
        guard keys.indices.contains(key), keys[key] != " " else { return nil }
        return keys[key]
    }
}

/// Keys of the Arabic layout that write lam and a form of alef together.
private enum LamAlef {
    static let letters: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\u{FEFB}": ["\u{0644}", "\u{0627}"], "\u{FEF7}": ["\u{0644}", "\u{0623}"],
        "\u{FEF9}": ["\u{0644}", "\u{0625}"], "\u{FEF5}": ["\u{0644}", "\u{0622}"],
    ]

    /// Returns the text with lam and alef as one key, then as two, if the text contains them and the layout has such a
    /// key.
    static func variants(of scalars: [Unicode.Scalar], on layout: KeyboardLayout) -> [[Unicode.Scalar]] {
        guard layout.id == "ar", scalars.contains("\u{0644}") else { return [scalars] }
        var joined: [Unicode.Scalar] = []
        for scalar in scalars {
            if joined.last == "\u{0644}", let key = letters.first(where: { $0.value[1] == scalar })?.key {
                joined[joined.count - 1] = key
            } else {
                joined.append(scalar)
            }
        }
        return joined == scalars ? [scalars] : [joined, scalars]
    }
}

// MARK: - Filter

/// A quick check that no name begins with a text as it would read with another keyboard layout.
///
/// Most queries were typed with the right layout, and creating all readings takes longer than the rest of a search. The
/// check translates and folds letter by letter from tables. It stops at a letter whose folding depends on its
/// neighbors, so it may pass a reading that matches nothing, but never rejects one that matches.
enum LayoutFilter {
    /// The maximum length of a query that the check accepts; longer ones pass.
    private static let maxLength = 64

    /// Returns the layouts besides English that may have been active or intended. Excludes those whose readings fail
    /// `contains`.
    ///
    /// O(letters · layouts).
    ///
    /// - Parameter contains: Returns `true` if a name begins with the given letters, which are the whole reading if
    ///   `isWhole`.
    static func layouts(
        for typed: String, _ contains: (_ letters: [UInt16], _ isWhole: Bool) -> Bool
    ) -> [KeyboardLayout] {
        let isASCII = typed.utf8.allSatisfy { $0 < 0x80 }
        let scalars = Array((isASCII ? typed : typed.precomposedStringWithCanonicalMapping).unicodeScalars)
        if scalars.count > maxLength { return Array(KeyboardLayout.all.dropFirst()) }
        let home = FoldedKeys.all[0]
        // With the English layout active, the keys are the same for all layouts that the user may have intended.
        let keys = home.keys(of: scalars)
        var letters: [UInt16] = []
        letters.reserveCapacity(maxLength * 2)
        func mayMatch(_ reading: FoldedKeys.Reading) -> Bool {
            reading != .invalid && (letters.isEmpty || contains(letters, reading == .complete))
        }
        return FoldedKeys.all.dropFirst().filter { other in
            if let keys, mayMatch(other.fold(keys, to: &letters)) { return true }
            guard let keys = other.keys(of: scalars) else { return false }
            // There may be two readings: lam and alef are typed with one key or two.
            return other.layout.id == "ar" && scalars.contains("\u{0644}") || mayMatch(home.fold(keys, to: &letters))
        }.map(\.layout)
    }
}

/// The folded letters that each key of a layout writes.
private struct FoldedKeys {
    enum Reading {
        /// All letters were folded.
        case complete
        /// The letters up to one that is folded together with its neighbors.
        case beginning
        /// There is no such reading, or it is not part of a name.
        case invalid
    }

    private enum Key {
        case missing
        case notOfName
        case letter(UInt16)
        /// Several letters, or none for a word separator.
        case letters([UInt16])
        case contextual
    }

    let layout: KeyboardLayout
    private let plain: [Key]
    private let shifted: [Key]
    /// The key of each ASCII letter plus one, negative with Shift; 0 if no key writes it.
    private let asciiKeys: [Int16]

    /// The keys of all layouts, in their order.
    static let all = KeyboardLayout.all.map(FoldedKeys.init)

    private init(_ layout: KeyboardLayout) {
        self.layout = layout
        asciiKeys = (0..<0x80).map { letter in
            guard let (key, isShifted) = layout.key(of: Unicode.Scalar(UInt8(letter))) else { return 0 }
            return Int16(clamping: isShifted ? -key - 1 : key + 1)
        }
        plain = layout.plain.map(FoldedKeys.key)
        shifted = layout.shifted.map(FoldedKeys.key)
    }

    private static func key(writing scalar: Unicode.Scalar) -> Key {
        if scalar == " " { return .missing }
        let scalars = LamAlef.letters[scalar] ?? [scalar]
        var letters: [UInt16] = []
        for scalar in scalars {
            if !AirportQuery.isOfName(scalar) { return .notOfName }
            let words = folded(scalar)
            let category = scalar.properties.generalCategory
            if words.isEmpty, category != .nonspacingMark, category != .spacingMark { continue }
            guard let letter = only(words), letter.count == 1 else { return .contextual }
            // A hamza is dropped next to other letters.
            if arabic.contains(scalar), only(folded(scalar, beh)) != letter + (only(folded(beh)) ?? []) {
                return .contextual
            }
            letters += letter
        }
        return letters.count == 1 ? .letter(letters[0]) : .letters(letters)
    }

    private static let arabic: ClosedRange<Unicode.Scalar> = "\u{0600}"..."\u{06FF}"
    private static let beh: Unicode.Scalar = "\u{0628}"

    private static func folded(_ scalars: Unicode.Scalar...) -> [FoldedWord] {
        FoldedText(String(String.UnicodeScalarView(scalars)), transliterating: false).words
    }

    /// Returns the letters if there is exactly one word with one spelling; nil otherwise.
    private static func only(_ words: [FoldedWord]) -> [UInt16]? {
        guard words.count == 1, let first = words[0].spellings.first?.letters,
            words[0].spellings.allSatisfy({ $0.letters == first })
        else { return nil }
        return first
    }

    /// Returns the keys that write a text, as in ``asciiKeys``, negative with Shift; nil if the layout lacks a letter.
    /// Spaces are omitted, and a digit is ``firstDigit`` plus its scalar.
    func keys(of scalars: [Unicode.Scalar]) -> [Int16]? {
        var keys: [Int16] = []
        for scalar in scalars {
            if scalar == " " { continue }
            if ("0"..."9").contains(scalar) {
                keys.append(FoldedKeys.firstDigit + Int16(scalar.value))
                continue
            }
            var key: Int16 = 0
            if scalar.value < 0x80 {
                key = asciiKeys[Int(scalar.value)]
            } else if let (position, isShifted) = layout.key(of: scalar) {
                key = Int16(clamping: isShifted ? -position - 1 : position + 1)
            }
            if key == 0 { return nil }
            if keys.isEmpty { keys.reserveCapacity(scalars.count) }
            keys.append(key)
        }
        return keys
    }

    /// More than the number of keys of any layout.
    private static let firstDigit: Int16 = 1_000

    /// Replaces `letters` with the folded letters that the given keys type on this layout.
    func fold(_ keys: [Int16], to letters: inout [UInt16]) -> Reading {
        letters.removeAll(keepingCapacity: true)
        var isContextual = false
        for key in keys {
            if key > FoldedKeys.firstDigit {
                if !isContextual { letters.append(UInt16(key - FoldedKeys.firstDigit)) }
                continue
            }
            let position = Int(key.magnitude) - 1
            var written = key < 0 && shifted.indices.contains(position) ? shifted[position] : .missing
            if case .missing = written, plain.indices.contains(position) { written = plain[position] }
            switch written {
            case .missing, .notOfName: return .invalid
            case .contextual: isContextual = true
            case .letter(let letter): if !isContextual { letters.append(letter) }
            case .letters(let folded): if !isContextual { letters += folded }
            }
        }
        return isContextual ? .beginning : .complete
    }
}
