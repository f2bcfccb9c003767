import SwitchboardContacts
import SwitchboardProspects
import SwitchboardSearchableIndex

/// A text and the ranges of it that matched.
public struct HighlightedText: Sendable, Hashable {
    /// The text; may be empty.
    public let text: String
    /// The matched ranges in Unicode scalars, sorted and disjoint.
    public let matches: [Range<Int>]
}

extension SearchResult {
    /// The texts of a row in a table, with the field that matched in preference to others:
    ///
    /// - a contact's name, first number, and another matched field, or else the company, nickname or e-mail address,
    /// - a prospect's name, e-mail address or number, and company, place of the meeting or matched note,
    /// - an airport's name, and its place,
    /// - an item's title, its subtitle or another matched field, and its domain.
    public var columns: (title: HighlightedText, detail: HighlightedText, other: HighlightedText) {
        func text(_ text: String, _ field: String) -> HighlightedText {
            HighlightedText(text: text, matches: highlights[field] ?? [])
        }
        func matched(_ fields: [(name: String, text: String)]) -> (name: String, text: String)? {
            fields.first { !(highlights[$0.name] ?? []).isEmpty }
        }
        switch object {
        case .contact(let contact):
            let email = contact.emails.first?.address ?? ""
            let further = contact.phones.count > 1 ? " +\(contact.phones.count - 1)" : ""
            let other =
                matched([
                    ("nickname", contact.nickname), ("phoneticName", contact.phoneticName),
                    ("organization", contact.organization), ("emails.0", email), ("note", contact.note),
                ]) ?? ("", [contact.organization, contact.nickname, email].first { !$0.isEmpty && $0 != title } ?? "")
            return (
                text(title, highlights["name"] == nil ? "title" : "name"),
                text((contact.phones.first?.number.text ?? "") + further, "phones.0"), text(other.text, other.name)
            )
        case .prospect(let prospect):
            func best(_ fields: [(name: String, text: String)]) -> HighlightedText {
                let known = fields.filter { !$0.text.isEmpty && $0.text != title }
                let field = matched(known) ?? known.first { $0.name != "note" } ?? ("", "")
                return text(field.text, field.name)
            }
            return (
                text(title, "name"), best([("email", prospect.email), ("phone", prospect.phone)]),
                best([("organization", prospect.organization), ("met", prospect.met), ("note", prospect.note)])
            )
        case .airport: return (text(title, "title"), text(subtitle, "subtitle"), text("", ""))
        case .item(let item, _):
            let set = item.item.attributeSet
            let titles = ["displayName", "title", "alternateNames.0"]
            let shown = titles.first { set.text(ofField: $0) == title } ?? "title"
            var detail = text(subtitle, "subtitle")
            if highlights["subtitle"] == nil, let field = highlights.keys.sorted().first(where: { $0 != shown }),
                let other = set.text(ofField: field)
            {
                detail = text(other, field)
            }
            return (text(title, shown), detail, text(item.item.domainIdentifier ?? "", ""))
        }
    }
}
