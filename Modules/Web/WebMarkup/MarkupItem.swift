import CSwitchboardLibXML2
public import Foundation
import SwitchboardAlgorithms

/// A value of an attribute.
public enum MarkupValue: Hashable, Sendable {
    /// A string.
    case text(String)
    /// A number.
    case number(Double)
    /// A date.
    case date(Date)
    /// A Boolean value.
    case flag(Bool)
    /// Several strings, such as keywords.
    case texts([String])
}

/// An item described by a page: the page itself, or one of several things on it, such as events or products.
public struct MarkupItem: Hashable, Sendable {
    /// The identifier of the item, a URL: the page's URL for the page itself, otherwise the item's `@id` or URL, or the
    /// page's URL with a fragment such as `#event-2`. A page without a URL has an identifier from its bytes, such as
    /// `page-8f2a…`, so that reading it again gives the same one.
    public var id: String?
    /// The schema.org type: `Recipe`, `Event`, `WebPage`.
    public var kind: String
    /// The standard attributes of items, by name (``MarkupAttribute/all``).
    public var attributes: [String: MarkupValue]
    /// The custom attributes, by name: price, ingredients, deep links.
    public var custom: [String: MarkupValue]

    /// Creates an item.
    public init(
        id: String?, kind: String, attributes: [String: MarkupValue] = [:], custom: [String: MarkupValue] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.attributes = attributes
        self.custom = custom
    }

    /// The value of a standard or custom attribute. The names are disjoint.
    public subscript(name: String) -> MarkupValue? { attributes[name] ?? custom[name] }
}

/// The attributes of an item, collected from the most to the least trusted source. The first value wins.
struct AttributeCollection {
    private(set) var values: [String: MarkupValue] = [:]

    /// Sets a value unless the attribute is set or the value is empty.
    mutating func offer(_ name: String, _ value: MarkupValue?) {
        guard let value, values[name] == nil else { return }
        switch value {
        case .text(let text) where text.isEmpty: return
        case .number(let number) where !number.isFinite: return
        case .texts(let texts) where texts.isEmpty: return
        default: values[name] = value
        }
    }

    mutating func offer(_ name: String, text: String?) { offer(name, text.map(MarkupValue.text)) }
    mutating func offer(_ name: String, number: Double?) { offer(name, number.map(MarkupValue.number)) }
    mutating func offer(_ name: String, date: Date?) { offer(name, date.map(MarkupValue.date)) }

    /// Sets a list of unique values, at most a hundred, unless the attribute is set.
    mutating func offer(_ name: String, texts: [String]) { offer(name, .texts(distinct(texts))) }

    mutating func add(_ name: String, texts: [String]) {
        var all = texts
        if case .texts(let before)? = values[name] { all = before + texts }
        all = distinct(all)
        if !all.isEmpty { values[name] = .texts(all) }
    }

    private func distinct(_ texts: [String]) -> [String] {
        Array(texts.filter { !$0.isEmpty }.uniqued.prefix(MarkupText.maximumValues))
    }

    func item(id: String?, kind: String) -> MarkupItem {
        var item = MarkupItem(id: id, kind: kind)
        for (name, value) in values {
            if MarkupAttribute.customNames.contains(name) {
                item.custom[name] = value
            } else {
                item.attributes[name] = value
            }
        }
        return item
    }
}

/// An attribute of items from web pages.
public struct MarkupAttribute: Hashable, Sendable {
    /// The type of an attribute's values.
    public enum Kind: String, Hashable, Sendable {
        /// A string.
        case text
        /// A number.
        case number
        /// A date.
        case date
        /// A Boolean value.
        case flag
        /// Several strings.
        case texts
    }

    /// The name.
    public let name: String
    /// The type of the values.
    public let kind: Kind
    /// Indicates a custom attribute, which the index must declare.
    public let isCustom: Bool

    /// All attributes of items.
    public static let all: [MarkupAttribute] = AttributeSource.all.map(\.attribute)

    static let customNames = Set(all.filter(\.isCustom).map(\.name))
}

/// An attribute, and the properties and tags that it copies.
struct AttributeSource {
    enum Form: String {
        case text, texts, url, urls, term, number, count, price, seconds, date, flag

        var kind: MarkupAttribute.Kind {
            switch self {
            case .text, .url, .term: .text
            case .texts, .urls: .texts
            case .number, .count, .price, .seconds: .number
            case .date: .date
            case .flag: .flag
            }
        }
    }

    let attribute: MarkupAttribute
    let form: Form
    /// The maximum length of a text.
    let limit: Int
    let properties: [String]
    let tags: [String]

    static let all = dataRows(of: PackageResources.attributes_txt).compactMap(AttributeSource.init)
    static let copyingProperties = all.filter { !$0.properties.isEmpty }
    static let copyingTags = all.filter { !$0.tags.isEmpty }

    private init?(_ row: [String]) {
        let words = row[0].split(separator: ":")
        guard row.count == 4, let form = words.first.flatMap({ Form(rawValue: String($0)) }) else { return nil }
        self.form = form
        limit = words.count > 1 ? Int(words[1]) ?? 0 : MarkupText.maximumLineLength
        let isCustom = row[1].hasSuffix("*")
        attribute = MarkupAttribute(
            name: isCustom ? String(row[1].dropLast()) : row[1], kind: form.kind, isCustom: isCustom)
        properties = row[2].split(separator: " ").map(String.init)
        tags = row[3].split(separator: " ").map(String.init)
    }
}

/// Returns the rows of a data file with their columns, without comments.
func dataRows(of file: [UInt8]) -> [[String]] {
    String(decoding: file, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// An ISO 8601 date, as found on pages.
struct MarkupDate: Equatable {
    let date: Date
    /// Indicates that the date has no time.
    let isDay: Bool

    /// Parses a date like ``CivilDate``. Without an offset, the time is in `zone`; a day begins at midnight there.
    init?(_ text: String, zone: TimeZone) {
        guard let read = CivilDate(text.utf8.prefix(64)) else { return nil }
        let local = Date(timeIntervalSince1970: Double(read.days) * 86_400 + (read.seconds ?? 0))
        date = read.offset.map { local - $0 } ?? zone.instant(showing: local)
        isDay = read.seconds == nil
    }
}

/// An ISO 8601 duration, as found on pages.
enum MarkupDuration {
    /// The seconds of each unit.
    private static let dateUnits: [Unicode.Scalar: Double] = [
        "y": 365 * 86_400, "m": 30 * 86_400, "w": 7 * 86_400, "d": 86_400,
    ]
    private static let timeUnits: [Unicode.Scalar: Double] = ["h": 3_600, "m": 60, "s": 1]

    /// Returns the seconds of `PT1H30M`, `P1DT2H`, `P2W` or `90`. Months have 30 days, years 365.
    static func seconds(_ text: String) -> Double? {
        var rest = Array(text.utf8.prefix(64)).filter { $0 > 0x20 }[...]
        guard rest.first == UInt8(ascii: "P") || rest.first == UInt8(ascii: "p") else {
            return Double(String(decoding: rest, as: UTF8.self)).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
        rest = rest.dropFirst()
        var total = 0.0
        var isTime = false
        var hasPart = false
        while let first = rest.first {
            if first | 0x20 == UInt8(ascii: "t") {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2C }
            let number = String(decoding: digits.map { $0 == 0x2C ? 0x2E : $0 }, as: UTF8.self)
            rest = rest.dropFirst(digits.count)
            guard let amount = Double(number), let unit = rest.popFirst(),
                let seconds = (isTime ? timeUnits : dateUnits)[Unicode.Scalar(unit | 0x20)]
            else { return nil }
            total += amount * seconds
            hasPart = true
        }
        return hasPart && total.isFinite ? total : nil
    }
}

/// Plain text from pages: collapsed white space, no tags, limited length.
enum MarkupText {
    /// The maximum length of a name or title in scalars.
    static let maximumLineLength = 1000
    /// The maximum length of a description in scalars.
    static let maximumDescriptionLength = 5000
    /// The maximum length of a body, such as an article's, in scalars.
    static let maximumBodyLength = 200_000
    /// The maximum number of values in a list.
    static let maximumValues = 100

    /// Collapses white space to single spaces and removes control characters. Text beyond `limit` scalars is replaced
    /// with "…". Returns `nil` if nothing is left.
    static func line(_ text: some StringProtocol, limit: Int = maximumLineLength) -> String? {
        var result = String.UnicodeScalarView()
        var count = 0
        var isBlankDue = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isBlankDue = count > 0
                continue
            }
            if scalar.properties.generalCategory == .control || scalar == "\u{FEFF}" { continue }
            if count + (isBlankDue ? 2 : 1) > limit {
                result.append("…")
                break
            }
            if isBlankDue { result.append(" ") }
            count += isBlankDue ? 2 : 1
            isBlankDue = false
            result.append(scalar)
        }
        return result.isEmpty ? nil : String(result)
    }

    /// Returns HTML inside another format as a line: without tags, with entities decoded once.
    static func lineOfMarkup(_ text: String, limit: Int = maximumLineLength) -> String? {
        line(decodingEntities(in: withoutTags(text)), limit: limit)
    }

    /// Returns HTML of a description as a line: also without tags written as entities.
    static func proseOfMarkup(_ text: String, limit: Int = maximumDescriptionLength) -> String? {
        line(withoutTags(decodingEntities(in: withoutTags(text))), limit: limit)
    }

    // MARK: - Tags

    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
        "span",
        "strong", "sub", "sup", "u", "var", "wbr",
    ]

    /// Removes tags and comments: `<` before a letter, slash or exclamation mark, up to the next `>`.
    static func withoutTags(_ text: String) -> String {
        guard text.utf8.contains(0x3C) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            guard bytes[position] == 0x3C, next.isASCIILetter || next == 0x2F || next == 0x21 else {
                result.append(bytes[position])
                position += 1
                continue
            }
            guard let end = bytes[position...].firstIndex(of: 0x3E) else {
                // No later tag is closed either.
                result += bytes[position...]
                break
            }
            var start = position + 1
            if bytes[start] == 0x2F { start += 1 }
            let name = String(decoding: bytes[start..<end].prefix(while: \.isASCIILetter), as: UTF8.self).lowercased()
            if !inline.contains(name) { result.append(0x20) }
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: - Entities

    /// Decodes entities such as `&amp;`, `&eacute;`, `&#8217;` and `&#x2019;`.
    static func decodingEntities(in text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard bytes[position] == 0x26, let end = bytes[position...].prefix(12).firstIndex(of: 0x3B),
                let scalar = scalar(of: bytes[(position + 1)..<end])
            else {
                result.append(bytes[position])
                position += 1
                continue
            }
            result += Array(String(Character(scalar)).utf8)
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func scalar(of name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let text = String(decoding: name, as: UTF8.self)
        if text.hasPrefix("#") {
            let isHexadecimal = text.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
            let value = isHexadecimal ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text.dropFirst())
            return value.flatMap(Unicode.Scalar.init)
        }
        if text == "apos" { return "'" }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else { return nil }
        // Safe: the text ends with NUL and lives during the call.
        let value = unsafe text.withCString { unsafe sb_html_entity($0) }
        return value == 0 ? nil : Unicode.Scalar(value)
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
