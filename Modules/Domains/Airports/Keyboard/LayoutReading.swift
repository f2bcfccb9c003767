import Foundation

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
enum LamAlef {
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
