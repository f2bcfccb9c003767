import SwitchboardAirports
import SwitchboardContacts
import Foundation
import SwitchboardSearchEngine
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardKit

/// A part of a row that stands in a column of its own.
struct Piece {
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
    /// The columns of the row; the first is a narrow one.
    ///
    /// - Parameter isMixed: whether it stands among rows of other kinds, and says of which it is.
    func pieces(isMixed: Bool) -> [Piece] {
        switch content {
        case .result(let result):
            switch result.object {
            case .contact(let contact): result.pieces(contact)
            case .prospect(let prospect): result.pieces(prospect)
            case .airport(let airport, let airports): result.pieces(airport, airports, isMixed: isMixed)
            case .item(let item, _): result.pieces(item)
            }
        case .activity(let stored):
            [
                Piece(stored.isCurrent ? "●" : " ", stored.isCurrent ? .good : .plain), Piece(title, .strong),
                Piece(stored.activity.title == nil ? "" : stored.activity.activityType),
                Piece(stored.beganAt.formatted(.iso8601.dateTimeSeparator(.space)), .faint),
            ]
        case .reminder(let reminder):
            [
                Piece(reminder.state == .pending ? "⏰" : " ", reminder.state == .pending ? .star : .plain),
                Piece(reminder.localTime),
                Piece(reminder.title, .strong),
                Piece(
                    reminder.failure.isEmpty ? (reminder.isLate ? "late" : reminder.state.rawValue) : "failing", .faint),
                Piece(reminder.body),
            ]
        }
    }
}

extension SearchResult {
    private func ranges(_ field: String) -> [Range<Int>] { highlights[field] ?? [] }

    /// star, name, number, what else matched or names the company
    fileprivate func pieces(_ contact: Contact) -> [Piece] {
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
            Piece(contact.isFavourite ? "★" : " ", contact.isFavourite ? .star : .plain),
            Piece(title, .strong, matches: highlights["name"] ?? ranges("title")),
            Piece((contact.phones.first?.number.text ?? "") + further, matches: ranges("phones.0")),
            matched.map { Piece($0.1, matches: ranges($0.0)) } ?? Piece(other, .faint),
        ]
    }

    /// whether ticked off, name, address or number, what else matched or names the company
    fileprivate func pieces(_ prospect: Prospect) -> [Piece] {
        func best(_ fields: [(String, String)]) -> Piece {
            let known = fields.filter { !$0.1.isEmpty && $0.1 != title }
            let field = known.first { !ranges($0.0).isEmpty } ?? known.first { $0.0 != "note" }
            return field.map { Piece($0.1, matches: ranges($0.0)) } ?? Piece("")
        }
        return [
            Piece(prospect.isContacted ? "✓" : "·", prospect.isContacted ? .good : .faint),
            Piece(title, .strong, matches: ranges("name")),
            best([("email", prospect.email), ("phone", prospect.phone)]),
            best([("organization", prospect.organization), ("met", prospect.met), ("note", prospect.note)]),
        ]
    }

    /// code, name, where it is, distance or stage
    fileprivate func pieces(_ airport: Airport, _ airports: [Airport], isMixed: Bool) -> [Piece] {
        var last = ""
        if let distance = airport.distance { last = "\(Int(distance.rounded())) km" }
        if airport.isCity, !airports.isEmpty { last = airports.map(\.code).joined(separator: " ") }
        if stage == 3, match != .nearby, last.isEmpty, !isMixed { last = "less used" }
        let code = Piece(id, .strong, matches: ranges("code"))
        let name = Piece(title, .strong, matches: ranges("title"))
        let place = Piece(subtitle, matches: ranges("subtitle"))
        // Among others the first column has no room for the code.
        if isMixed { return [Piece("✈", .faint), name, code, place] }
        return [code, name, place, Piece(last, .faint)]
    }

    /// title, what it is or what else matched, domain
    fileprivate func pieces(_ item: StoredItem) -> [Piece] {
        let set = item.item.attributeSet
        let titles = ["displayName", "title", "alternateNames.0"]
        let shown = titles.first { set.text(ofField: $0) == title } ?? "title"
        var aside = Piece(subtitle, matches: ranges("subtitle"))
        if highlights["subtitle"] == nil, let other = highlights.keys.sorted().first(where: { $0 != shown }),
            let text = set.text(ofField: other)
        {
            aside = Piece(text, matches: ranges(other))
        }
        return [
            Piece("◆", .faint), Piece(title, .strong, matches: ranges(shown)), aside,
            Piece(item.item.domainIdentifier ?? "", .faint),
        ]
    }
}
