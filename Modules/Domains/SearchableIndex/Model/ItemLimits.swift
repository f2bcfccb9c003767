import Foundation
import SwitchboardErrors

/// The maximum sizes of items and activities in bytes of UTF-8.
extension SearchableItem {
    /// The maximum size of an identifier or a domain.
    public static let largestIdentifier = 1_000
    /// The maximum size of a title, a keyword or any other short text. Searches find words in all of it.
    public static let largestText = ItemTexts.maximumSize
    /// The maximum size of a description and of the text of a custom attribute.
    public static let largestDescription = SizeLimit.note
    /// The maximum size of the full text, of data such as a thumbnail, and of all other attributes together.
    public static let largestContent = SizeLimit.object
    /// The maximum number of values of an attribute, and of custom attributes.
    public static let largestList = SizeLimit.elements
}

extension SearchableItemAttributeSet {
    /// The first attribute that exceeds a limit or contains U+0000, with the problem and the remedy; nil if there is none.
    var excess: (attribute: String?, reason: String)? {
        var total = 0
        func failure(of values: [AttributeValue], _ limit: Int, counts: Bool = true) -> String? {
            if values.count > SearchableItem.largestList { return Self.tooMany }
            for value in values {
                if let reason = value.excess(limit) { return reason }
                if counts { total += value.size }
            }
            return nil
        }
        for entry in entries {
            let limit =
                switch entry.attribute {
                case .textContent, .thumbnailData: SearchableItem.largestContent
                case .contentDescription: SearchableItem.largestDescription
                default: SearchableItem.largestText
                }
            let isContent = [.textContent, .thumbnailData].contains(entry.attribute)
            if let reason = failure(of: entry.values, limit, counts: !isContent) {
                return (entry.attribute.name, reason)
            }
        }
        if custom.count > SearchableItem.largestList { return ("custom", Self.tooMany) }
        for (key, values) in custom.sorted(by: { $0.key < $1.key }) {
            if let reason = failure(of: values, SearchableItem.largestDescription) { return ("custom.\(key)", reason) }
        }
        return total > SearchableItem.largestContent ? (nil, String.longer(than: SearchableItem.largestContent)) : nil
    }

    private static let tooMany = "more than \(SearchableItem.largestList) entries; remove some"
}

extension AttributeValue {
    /// Returns the reason why a text of the value cannot be stored, or nil.
    fileprivate func excess(_ limit: Int) -> String? {
        switch self {
        case .text(let text): text.storageProblem(limit)
        case .data(let data):
            data.count > SearchableItem.largestContent ? String.longer(than: SearchableItem.largestContent) : nil
        case .person(let person):
            if max(person.phones.count, person.emails.count) > SearchableItem.largestList {
                "a person has more than \(SearchableItem.largestList) numbers or addresses; remove some"
            } else {
                ([person.name] + person.phones + person.emails).lazy.compactMap { $0.storageProblem(limit) }.first
            }
        case .number, .date, .flag: nil
        }
    }

    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        case .person(let person): ([person.name] + person.phones + person.emails).reduce(0) { $0 + $1.utf8.count }
        case .number, .date, .flag: 8
        }
    }
}

extension String {
    /// Returns the reason why the text cannot be stored, because it is too long or contains U+0000, or nil.
    func storageProblem(_ limit: Int) -> String? {
        if utf8.count > limit { return .longer(than: limit) }
        return utf8.contains(0) ? ErrorDetails.nulReason : nil
    }

    /// The problem of a text that is too long, and the remedy.
    static func longer(than limit: Int) -> String {
        "longer than \(limit < 1 << 10 ? "\(limit) bytes" : ErrorDetails.size(limit)); shorten it"
    }
}

extension UserActivity {
    /// The maximum size of ``userInfo`` as JSON.
    public static let largestUserInfo = SizeLimit.note

    /// Checks the sizes and the characters of all fields.
    ///
    /// - Throws: An ``ItemError``.
    func checkSizes() throws(ItemError) {
        func check(_ field: String, _ texts: [String], _ limit: Int) throws(ItemError) {
            guard texts.count <= SearchableItem.largestList else {
                throw ItemError(
                    reason: "more than \(SearchableItem.largestList) entries; remove some", attribute: field)
            }
            if let reason = texts.lazy.compactMap({ $0.storageProblem(limit) }).first {
                throw ItemError(reason: reason, attribute: field)
            }
        }
        try check("activityType", [activityType], SizeLimit.name)
        try check("title", [title ?? ""], SearchableItem.largestText)
        try check("keywords", keywords, SearchableItem.largestText)
        try check("requiredUserInfoKeys", Array(requiredUserInfoKeys), SizeLimit.name)
        try check("webpageURL", [webpageURL ?? ""], SizeLimit.url)
        try check("referrerURL", [referrerURL ?? ""], SizeLimit.url)
        try check("targetContentIdentifier", [targetContentIdentifier ?? ""], SizeLimit.url)
        try check("persistentIdentifier", [persistentIdentifier ?? ""], SearchableItem.largestIdentifier)
        try check("domain", [domainIdentifier ?? ""], SearchableItem.largestIdentifier)
        let size = (try? JSONEncoder().encode(userInfo).count) ?? 0
        if size > Self.largestUserInfo {
            throw ItemError(reason: .longer(than: Self.largestUserInfo), attribute: "userInfo")
        }
        if let excess = contentAttributeSet?.excess {
            throw ItemError(reason: excess.reason, attribute: excess.attribute ?? "contentAttributeSet")
        }
    }
}
