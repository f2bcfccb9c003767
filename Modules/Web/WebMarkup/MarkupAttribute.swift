import Foundation

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
        case text, texts, url, urls, term, number, seconds, date, flag

        var kind: MarkupAttribute.Kind {
            switch self {
            case .text, .url, .term: .text
            case .texts, .urls: .texts
            case .number, .seconds: .number
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
