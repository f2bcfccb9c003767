import Foundation
public import SwitchboardSearchableIndex

extension StoredItem {
    /// The details of the item; long texts are truncated.
    public var details: [Detail] {
        let set = item.attributeSet
        var details: [Detail] = []
        for attribute in set.attributes {
            for value in set[attribute] {
                details.append(Detail(attribute.name, value.shown, attribute == .title ? .strong : .plain))
            }
        }
        for (key, values) in set.custom.sorted(by: { $0.key < $1.key }) {
            details += values.map { Detail("custom.\(key)", $0.shown) }
        }
        details.append(Detail("domain", item.domainIdentifier ?? ""))
        details.append(Detail("expires", item.expirationDate?.formatted(.iso8601) ?? "never"))
        details.append(Detail("chosen", useCount > 0 ? "\(useCount) times" : ""))
        details.append(Detail("id", item.uniqueIdentifier, .faint))
        return details.filter { !$0.text.isEmpty }
    }
}

extension AttributeValue {
    /// The value as text for display.
    public var shown: String {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .date(let date): date.formatted(.iso8601)
        case .flag(let flag): flag ? "yes" : "no"
        case .data(let data): "\(data.count) bytes"
        case .person(let person): ([person.name] + person.phones + person.emails).joined(separator: ", ")
        }
    }
}

extension StoredActivity {
    /// The details of the activity.
    public var details: [Detail] {
        let ended = endedAt?.formatted(.iso8601)
        var details = [
            Detail("title", activity.title ?? activity.activityType, .strong), Detail("type", activity.activityType),
            Detail("began", beganAt.formatted(.iso8601)), Detail("ended", isCurrent ? "" : ended ?? ""),
            Detail("leads to", activity.targetContentIdentifier ?? activity.webpageURL ?? ""),
            Detail("keywords", activity.keywords.joined(separator: ", ")),
        ]
        details += (activity.contentAttributeSet?.details ?? [])
        details.append(Detail("lacks", activity.missingUserInfoKeys.joined(separator: ", ")))
        details.append(Detail("id", id, .faint))
        return details.filter { !$0.text.isEmpty }
    }
}

extension SearchableItemAttributeSet {
    fileprivate var details: [Detail] {
        attributes.flatMap { attribute in self[attribute].map { Detail(attribute.name, $0.shown) } }
    }
}
