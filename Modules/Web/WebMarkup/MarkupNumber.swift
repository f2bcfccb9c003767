import Foundation

/// A number, as found on pages: `Rs. 1,29,999.00`, `1’299.50 CHF`, `€1.299,-`, `53°33′N`.
enum MarkupNumber {
    /// The meaning of a number, which decides how a single separator before three digits is read.
    enum Meaning {
        /// An amount of money in the named currency.
        case price(currency: String?)
        /// A number of things: has no decimals.
        case count
        /// A latitude or longitude in degrees: has no groups of thousands.
        case coordinate
        /// A rating, an elevation: a point before three digits is decimal, a comma is not.
        case measure
    }

    /// Returns the first number of a text, with a currency or unit around it.
    static func read(_ text: String, as meaning: Meaning = .measure) -> Double? {
        // Full-width forms have the order of ASCII.
        let scalars = text.unicodeScalars.prefix(128).map { scalar in
            (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
        }
        if case .coordinate = meaning { return coordinate(scalars) }
        guard let token = Token(scalars), let value = token.value(as: meaning, in: text) else { return nil }
        return checked(value, as: meaning)
    }

    /// Returns a number unless it cannot have the meaning.
    static func checked(_ value: Double, as meaning: Meaning) -> Double? {
        if case .count = meaning, value != value.rounded() || value < 0 { return nil }
        return value
    }

    /// Returns degrees, with minutes and seconds, and a hemisphere in front or behind.
    private static func coordinate(_ scalars: [Unicode.Scalar]) -> Double? {
        var rest = scalars[...]
        var parts: [Double] = []
        var isNegative = false
        while parts.count < 3, let token = Token(Array(rest)) {
            guard let value = token.value(as: .coordinate, in: "") else { return nil }
            if parts.isEmpty { isNegative = value.sign == .minus }
            parts.append(abs(value))
            rest = rest.dropFirst(token.end)
            // Only degrees and minutes are followed by a part.
            guard let mark = rest.first, "°º˚′'’".unicodeScalars.contains(mark) else { break }
        }
        guard let first = parts.first, first <= 360, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let degrees = zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        let isSouthOrWest = scalars.contains { "SWsw".unicodeScalars.contains($0) }
        return isNegative || isSouthOrWest ? -degrees : degrees
    }

    /// The first number of a text: its digits and the separators between them.
    private struct Token {
        private var groups: [String] = []
        private var separators: [Unicode.Scalar] = []
        private var isNegative = false
        /// `true` if a separator and a dash follow, which stand for no decimals.
        private var hasNoDecimals = false
        /// The length of the text up to the end of the number.
        let end: Int

        private static let apostrophes = "'’ʼ´`".unicodeScalars
        private static let spaces = " \u{A0}\u{2009}\u{202F}\u{2007}_".unicodeScalars
        private static let decimals = ".,٫".unicodeScalars
        private static let dashes = "-‐‑‒–—−".unicodeScalars

        init?(_ scalars: [Unicode.Scalar]) {
            func digit(_ index: Int) -> Int? {
                guard scalars.indices.contains(index), scalars[index].properties.numericType == .decimal else {
                    return nil
                }
                return scalars[index].properties.numericValue.map { Int($0) }
            }
            guard var index = scalars.indices.first(where: { digit($0) != nil }) else { return nil }
            func scalar(_ index: Int) -> Unicode.Scalar? { scalars.indices.contains(index) ? scalars[index] : nil }

            // A point before the digits is decimal, unless it ends an abbreviation such as "kr.".
            var before = index - 1
            if let mark = scalar(before), Self.decimals.contains(mark),
                !(scalar(before - 1).map { $0.properties.isAlphabetic || $0 == "/" } ?? false)
            {
                groups.append("0")
                separators.append(mark)
                before -= 1
            }
            // A sign may have a currency between it and the digits: "−€ 5".
            if scalar(before) == " ", scalar(before - 1)?.properties.generalCategory == .currencySymbol { before -= 1 }
            if scalar(before)?.properties.generalCategory == .currencySymbol { before -= 1 }
            isNegative =
                scalar(before).map(Self.dashes.contains) ?? false
                && !(scalar(before - 1).map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false)

            var group = ""
            while let value = digit(index) {
                group += String(value)
                index += 1
                guard digit(index) == nil else { continue }
                groups.append(group)
                group = ""
                guard let mark = scalar(index) else { break }
                let isSpace = Self.spaces.contains(mark)
                if digit(index + 1) != nil,
                    Self.decimals.contains(mark) || mark == "٬" || Self.apostrophes.contains(mark) || isSpace
                {
                    // A space groups three digits; "20 30" are two numbers.
                    let count = (index + 1..<scalars.count).prefix { digit($0) != nil }.count
                    if isSpace, count != 3 || groups.last.map({ $0.count > 3 }) ?? true { break }
                    // An apostrophe before other than three digits is the sign of minutes or feet.
                    if Self.apostrophes.contains(mark), count != 3 { break }
                    separators.append(mark)
                    index += 1
                } else if Self.decimals.contains(mark), scalar(index + 1).map(Self.dashes.contains) ?? false {
                    hasNoDecimals = true
                }
            }
            end = index
        }

        func value(as meaning: Meaning, in text: String) -> Double? {
            let sign = isNegative ? "-" : ""
            let decimal = hasNoDecimals ? nil : decimalSeparator(as: meaning, in: text)
            let number: String
            if let decimal, groups.count > 1 {
                guard decimal == separators.count - 1 else { return nil }
                number = groups.dropLast().joined() + "." + (groups.last ?? "")
            } else {
                number = groups.joined()
            }
            return Double(sign + number).flatMap { $0.isFinite ? $0 : nil }
        }

        /// Returns the index of the decimal separator; nil if all of them group digits.
        private func decimalSeparator(as meaning: Meaning, in text: String) -> Int? {
            guard let last = separators.last, Self.decimals.contains(last) else { return nil }
            let index = separators.count - 1
            // A separator that occurs several times groups, one after others of a different kind is decimal.
            if separators.dropLast().contains(last) { return nil }
            if index > 0 { return index }
            let (before, after) = (groups.first ?? "", groups.last ?? "")
            if after.count != 3 || before.count > 3 || before.allSatisfy({ $0 == "0" }) { return index }
            switch meaning {
            case .coordinate: return index
            case .count: return nil
            case .measure: return last == "," ? nil : index
            case .price(let currency):
                // "1.299" alone follows schema.org; "€ 1.299" is for people. Some currencies have thousandths.
                let isForPeople = text.unicodeScalars.contains {
                    $0.properties.isAlphabetic || $0.properties.generalCategory == .currencySymbol
                }
                let codes = ["KWD", "BHD", "OMR", "JOD", "TND", "LYD", "IQD", "KD", "BD", "JD", "DT"]
                let words = text.split { !$0.isLetter }.map { $0.uppercased() } + [currency?.uppercased() ?? ""]
                if words.contains(where: codes.contains) { return index }
                return last == "," || isForPeople ? nil : index
            }
        }
    }
}
