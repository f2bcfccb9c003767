import Foundation
import SearchableIndex

extension Session {
    /// Shows all that an item holds, a line for each value.
    func showDetails(of stored: StoredItem) {
        let item = stored.item
        var table = Table()
        func add(_ name: String, _ text: String, _ tone: Style.Tone = .plain) {
            for (index, line) in text.split(whereSeparator: \.isNewline).prefix(20).enumerated() {
                let shown = line.count <= 200 ? String(line) : line.prefix(199) + "…"
                table.add([Cell(index == 0 ? name : "", .faint), Cell(shown, tone)])
            }
        }
        for attribute in item.attributeSet.attributes {
            for value in item.attributeSet[attribute] {
                add(attribute.name, value.shown, attribute == .title ? .strong : .plain)
            }
        }
        for (key, values) in item.attributeSet.custom.sorted(by: { $0.key < $1.key }) {
            for value in values { add("custom.\(key)", value.shown) }
        }
        if let domain = item.domainIdentifier { add("domain", domain) }
        add("expires", item.expirationDate?.formatted(.iso8601) ?? "never")
        if stored.useCount > 0 { add("chosen", "\(stored.useCount) times") }
        add("id", item.uniqueIdentifier, .faint)
        table.write(to: output, style: style)
    }
}

extension AttributeValue {
    /// The value as a person reads it.
    var shown: String {
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
