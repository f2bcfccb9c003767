import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchEngine
import SwitchboardSearchableIndex

/// The text of one column of a row.
struct RowCell {
    var text: String
    var style: Style
    var matches: [Range<Int>]

    init(_ text: String, _ style: Style = .plain, matches: [Range<Int>] = []) {
        self.text = text
        self.style = style
        self.matches = matches
    }
}

extension Row {
    /// Returns the columns of the row; the first one is narrow.
    ///
    /// - Parameter isMixed: adds a symbol for the kind of row.
    func cells(isMixed: Bool) -> [RowCell] {
        switch content {
        case .result(let result):
            switch result.object {
            case .contact(let contact): result.cells(contact)
            case .prospect(let prospect): result.cells(prospect)
            case .airport(let airport, let airports): result.cells(airport, airports, isMixed: isMixed)
            case .item(let item, _): result.cells(item)
            }
        case .activity(let stored):
            [
                RowCell(stored.isCurrent ? "●" : " ", stored.isCurrent ? .good : .plain), RowCell(title, .strong),
                RowCell(stored.activity.title == nil ? "" : stored.activity.activityType),
                RowCell(stored.beganAt.formatted(.iso8601.dateTimeSeparator(.space)), .faint),
            ]
        case .reminder(let reminder):
            [
                RowCell(reminder.state == .pending ? "⏰" : " ", reminder.state == .pending ? .star : .plain),
                RowCell(reminder.localTime),
                RowCell(reminder.title, .strong),
                RowCell(
                    reminder.failure.isEmpty ? (reminder.isLate ? "late" : reminder.state.rawValue) : "failing", .faint),
                RowCell(reminder.body),
            ]
        }
    }
}

extension SearchResult {
    private func ranges(_ field: String) -> [Range<Int>] { highlights[field] ?? [] }

    /// Returns the star, the name, the first number, and another matched field or the organization.
    fileprivate func cells(_ contact: Contact) -> [RowCell] {
        let further = contact.phones.count > 1 ? " +\(contact.phones.count - 1)" : ""
        let fields = [
            ("nickname", contact.nickname), ("phoneticName", contact.phoneticName),
            ("organization", contact.organization), ("emails.0", contact.emails.first?.address ?? ""),
            ("note", contact.note),
        ]
        let matched = fields.first { !ranges($0.0).isEmpty }
        let others = [contact.organization, contact.nickname, contact.emails.first?.address ?? ""]
        let other = others.first { !$0.isEmpty && $0 != title } ?? ""
        return [
            RowCell(contact.isFavourite ? "★" : " ", contact.isFavourite ? .star : .plain),
            RowCell(title, .strong, matches: highlights["name"] ?? ranges("title")),
            RowCell((contact.phones.first?.number.text ?? "") + further, matches: ranges("phones.0")),
            matched.map { RowCell($0.1, matches: ranges($0.0)) } ?? RowCell(other, .faint),
        ]
    }

    /// Returns the state, the name, an address or number, and another matched field or the organization.
    fileprivate func cells(_ prospect: Prospect) -> [RowCell] {
        func best(_ fields: [(String, String)]) -> RowCell {
            let known = fields.filter { !$0.1.isEmpty && $0.1 != title }
            let field = known.first { !ranges($0.0).isEmpty } ?? known.first { $0.0 != "note" }
            return field.map { RowCell($0.1, matches: ranges($0.0)) } ?? RowCell("")
        }
        return [
            RowCell(prospect.isContacted ? "✓" : "·", prospect.isContacted ? .good : .faint),
            RowCell(title, .strong, matches: ranges("name")),
            best([("email", prospect.email), ("phone", prospect.phone)]),
            best([("organization", prospect.organization), ("met", prospect.met), ("note", prospect.note)]),
        ]
    }

    /// Returns the code, the name, the place, and the distance or stage.
    fileprivate func cells(_ airport: Airport, _ airports: [Airport], isMixed: Bool) -> [RowCell] {
        var last = ""
        if let distance = airport.distance { last = "\(Int(distance.rounded())) km" }
        if airport.isCity, !airports.isEmpty { last = airports.map(\.code).joined(separator: " ") }
        if stage == 3, match != .nearby, last.isEmpty, !isMixed { last = "less used" }
        let code = RowCell(id, .strong, matches: ranges("code"))
        let name = RowCell(title, .strong, matches: ranges("title"))
        let place = RowCell(subtitle, matches: ranges("subtitle"))
        // The narrow first column of mixed rows has no room for the code.
        if isMixed { return [RowCell("✈", .faint), name, code, place] }
        return [code, name, place, RowCell(last, .faint)]
    }

    /// Returns a symbol, the title, the kind or another matched field, and the domain.
    fileprivate func cells(_ item: StoredItem) -> [RowCell] {
        let set = item.item.attributeSet
        let titles = ["displayName", "title", "alternateNames.0"]
        let shown = titles.first { set.text(ofField: $0) == title } ?? "title"
        var aside = RowCell(subtitle, matches: ranges("subtitle"))
        if highlights["subtitle"] == nil, let other = highlights.keys.sorted().first(where: { $0 != shown }),
            let text = set.text(ofField: other)
        {
            aside = RowCell(text, matches: ranges(other))
        }
        return [
            RowCell("◆", .faint), RowCell(title, .strong, matches: ranges(shown)), aside,
            RowCell(item.item.domainIdentifier ?? "", .faint),
        ]
    }
}
