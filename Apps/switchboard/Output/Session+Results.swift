import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardSearchEngine
import SwitchboardSearchableIndex

extension Session {
    /// Prints results as a table. The columns depend on the kind of each result.
    func show(_ results: [SearchResult]) {
        var table = Table()
        for result in results {
            switch result.object {
            case .contact(let contact): table.add(Self.row(result, contact))
            case .prospect(let prospect): table.add(Self.row(result, prospect))
            case .airport(let airport, let airports):
                table.add(Self.row(result, airport))
                for (index, member) in airports.enumerated() {
                    table.add(row(member, isLast: index == airports.count - 1))
                }
            case .item(let item, _): table.add(Self.row(result, item))
            }
        }
        table.write(to: output, style: style)
    }

    // MARK: - Contacts

    /// Columns: star, name, phone number, other matched field or company, identifier.
    private static func row(_ result: SearchResult, _ contact: Contact) -> [Cell] {
        let phone = contact.phones.first
        let further = contact.phones.count > 1 ? " +\(contact.phones.count - 1)" : ""
        return [
            Cell(contact.isFavourite ? "★" : "", .star),
            Cell(result.title, .strong, matches: result.highlights["name"] ?? result.highlights["title"] ?? []),
            Cell((phone?.number.text ?? "") + further, matches: result.highlights["phones.0"] ?? []),
            extra(result, contact),
            Cell(contact.id, .faint),
        ]
    }

    /// Returns the matched field other than name and number, or else the company, nickname or e-mail address.
    private static func extra(_ result: SearchResult, _ contact: Contact) -> Cell {
        let fields = [
            ("nickname", contact.nickname), ("phoneticName", contact.phoneticName),
            ("organization", contact.organization), ("emails.0", contact.emails.first?.address ?? ""),
            ("note", contact.note),
        ]
        for (field, text) in fields {
            if let matches = result.highlights[field], !matches.isEmpty { return Cell(text, matches: matches) }
        }
        let candidates = [contact.organization, contact.nickname, contact.emails.first?.address ?? ""]
        return Cell(candidates.first { !$0.isEmpty && $0 != result.title } ?? "")
    }

    // MARK: - Prospects

    /// Columns: contacted mark, name, e-mail address or phone number, other matched field or company, identifier.
    private static func row(_ result: SearchResult, _ prospect: Prospect) -> [Cell] {
        let ways = [("email", prospect.email), ("phone", prospect.phone)].filter {
            !$0.1.isEmpty && $0.1 != result.title
        }
        let way = ways.first { !(result.highlights[$0.0] ?? []).isEmpty } ?? ways.first
        let others = [("organization", prospect.organization), ("met", prospect.met), ("note", prospect.note)]
            .filter { !$0.1.isEmpty && $0.1 != result.title }
        let other = others.first { !(result.highlights[$0.0] ?? []).isEmpty } ?? others.first { $0.0 != "note" }
        func cell(_ field: (String, String)?) -> Cell {
            guard let (name, text) = field else { return Cell("") }
            return Cell(text, matches: result.highlights[name] ?? [])
        }
        return [
            Cell(prospect.isContacted ? "✓" : "·", .faint),
            Cell(result.title, .strong, matches: result.highlights["name"] ?? []), cell(way), cell(other),
            Cell(prospect.id, .faint),
        ]
    }

    // MARK: - Items

    /// Columns: domain, title, subtitle or other matched field, identifier.
    private static func row(_ result: SearchResult, _ item: StoredItem) -> [Cell] {
        let set = item.item.attributeSet
        let titles = ["displayName", "title", "alternateNames.0"]
        let shown = titles.first { set.text(ofField: $0) == result.title } ?? "title"
        var extra = Cell(result.subtitle, matches: result.highlights["subtitle"] ?? [])
        if result.highlights["subtitle"] == nil,
            let other = result.highlights.keys.sorted().first(where: { $0 != shown }),
            let text = set.text(ofField: other)
        {
            extra = Cell(text, matches: result.highlights[other] ?? [])
        }
        return [
            Cell(item.item.domainIdentifier ?? "", .faint),
            Cell(result.title, .strong, matches: result.highlights[shown] ?? []), extra, Cell(result.id, .faint),
        ]
    }

    // MARK: - Airports

    /// Columns: code, name, city and country, distance, mark of a less likely match.
    private static func row(_ result: SearchResult, _ airport: Airport) -> [Cell] {
        [
            Cell(result.id, .strong, matches: result.highlights["code"] ?? []),
            Cell(result.title, .strong, matches: result.highlights["title"] ?? []),
            Cell(result.subtitle, matches: result.highlights["subtitle"] ?? []),
            distance(airport),
            Cell(mark(of: result), .faint),
        ]
    }

    /// Returns the mark of a less likely match.
    private static func mark(of result: SearchResult) -> String {
        switch (result.stage, result.match) {
        case (.some, .nearby): "(near it)"
        case (3, _): "(less used)"
        default: ""
        }
    }

    /// Returns the row of an airport below its city.
    private func row(_ airport: Airport, isLast: Bool) -> [Cell] {
        let name = airport.title(in: displayLanguage)
        return [
            Cell(""), Cell((isLast ? "└ " : "├ ") + airport.code + " " + name), Cell(""), Self.distance(airport),
        ]
    }

    private static func distance(_ airport: Airport) -> Cell {
        guard let distance = airport.distance else { return Cell("", isRightAligned: true) }
        return Cell("\(Int(distance.rounded())) km", isRightAligned: true)
    }
}
