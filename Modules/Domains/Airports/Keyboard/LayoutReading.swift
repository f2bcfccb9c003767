/// A text as it would stand there had another keyboard layout been on.
public struct LayoutReading: Hashable, Sendable {
    /// What the person would have written.
    public let text: String
    /// The layout that was on.
    public let typed: KeyboardLayout
    /// The layout the person thought was on.
    public let meant: KeyboardLayout
}

/// Tells what was meant by a text that was typed with the wrong keyboard layout on.
///
/// For example, `фтлфкф` typed with the Russian layout on is `ankara`, and `vjcrdf` typed with the English one on is
/// `москва`.
public enum WrongKeyboard {
    /// What the person would have written with another layout, for each pair of `home` and one of `layouts` in which
    /// the text could have been typed at all: first `layouts` in their order, each distinct text once.
    ///
    /// Empty for a text without a letter, and for one that mixes alphabets. Linear in the length of the text for each
    /// layout.
    public static func readings(
        of typed: String, home: KeyboardLayout = .english, layouts: [KeyboardLayout] = KeyboardLayout.all
    ) -> [LayoutReading] {
        var seen: Set<String> = [typed]
        var readings: [LayoutReading] = []
        for other in layouts where other != home {
            for (on, meant) in [(home, other), (other, home)] {
                for text in translations(of: typed, from: on, to: meant)
                where seen.insert(text).inserted && text.contains(where: \.isLetter) {
                    readings.append(LayoutReading(text: text, typed: on, meant: meant))
                }
            }
        }
        return readings
    }

    /// The text on other keys; none where some letter is not on the layout that is said to have been on.
    ///
    /// There are two where lam and alef stand beside each other in Arabic: they may have been one key or two.
    private static func translations(
        of typed: String, from on: KeyboardLayout, to meant: KeyboardLayout
    ) -> [String] {
        let scalars = Array(typed.precomposedScalars)
        let variants = Lamalef.variants(of: scalars, on: on)
        return variants.compactMap { translation(of: $0, from: on, to: meant) }
    }

    private static func translation(
        of scalars: [Unicode.Scalar], from on: KeyboardLayout, to meant: KeyboardLayout
    ) -> String? {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            // The space bar, and digits on a number pad, write the same with every layout.
            if scalar == " " || ("0"..."9").contains(scalar) {
                text.append(scalar)
            } else if let written = meant.scalar(onKeyOf: scalar, of: on) {
                text.append(contentsOf: Lamalef.letters[written] ?? [written])
            } else {
                return nil
            }
        }
        return String(text)
    }
}

extension KeyboardLayout {
    /// What this layout writes with the key, and the shift, that write `scalar` on another layout.
    fileprivate func scalar(onKeyOf scalar: Unicode.Scalar, of other: KeyboardLayout) -> Unicode.Scalar? {
        guard let (key, isShifted) = other.key(of: scalar) else { return nil }
        return (isShifted ? written(shifted, key) : nil) ?? written(plain, key)
    }

    private func written(_ keys: [Unicode.Scalar], _ key: Int) -> Unicode.Scalar? {
        guard keys.indices.contains(key), keys[key] != " " else { return nil }
        return keys[key]
    }
}

/// Keys of the Arabic layout that write lam and a form of alef at once.
private enum Lamalef {
    static let letters: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\u{FEFB}": ["\u{0644}", "\u{0627}"], "\u{FEF7}": ["\u{0644}", "\u{0623}"],
        "\u{FEF9}": ["\u{0644}", "\u{0625}"], "\u{FEF5}": ["\u{0644}", "\u{0622}"],
    ]

    /// The text with lam and alef as one key, then as two, if it has them and the layout such a key.
    static func variants(of scalars: [Unicode.Scalar], on layout: KeyboardLayout) -> [[Unicode.Scalar]] {
        guard layout == .arabic, scalars.contains("\u{0644}") else { return [scalars] }
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

extension String {
    /// The scalars with letters and their accents in one where Unicode has such a letter, as keyboards write them.
    fileprivate var precomposedScalars: [Unicode.Scalar] {
        // Without a mark that goes onto another letter every scalar is one that a key writes.
        let scalars = Array(unicodeScalars)
        if scalars.allSatisfy({ $0.value < 0x300 || $0.value >= 0x370 && $0.value < 0x2000 }) { return scalars }
        return flatMap { character -> [Unicode.Scalar] in
            guard character.unicodeScalars.count > 1 else { return Array(character.unicodeScalars) }
            let composed = KeyboardLayout.all.lazy.flatMap { [$0.plain, $0.shifted].joined() }
                .first { Character($0) == character }
            return composed.map { [$0] } ?? Array(character.unicodeScalars)
        }
    }
}
