import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardSearchEngine
import SwitchboardSearchableIndex

extension Session {
    /// Prints results as a table. The columns depend on the kind of each result.
    func show(_ results: [SearchResult]) {
        showTable(results.flatMap(rows))
    }

    private func rows(_ result: SearchResult) -> [[Cell]] {
        let columns = result.columns
        let title = Cell(columns.title, .strong)
        let id = Cell(result.id, .faint)
        switch result.object {
        case .contact(let contact):
            return [
                [Cell(contact.isFavourite ? "★" : "", .star), title, Cell(columns.detail), Cell(columns.other), id]
            ]
        case .prospect(let prospect):
            return [
                [Cell(prospect.isContacted ? "✓" : "·", .faint), title, Cell(columns.detail), Cell(columns.other), id]
            ]
        case .item(let item, _):
            return [[Cell(item.item.domainIdentifier ?? "", .faint), title, Cell(columns.detail), id]]
        case .airport(let airport, let members):
            let mark: String =
                switch (result.stage, result.match) {
                case (.some, .nearby): "(near it)"
                case (3, _): "(less used)"
                default: ""
                }
            let code = Cell(result.id, .strong, matches: result.highlights["code"] ?? [])
            return [[code, title, Cell(columns.detail), distance(airport), Cell(mark, .faint)]]
                + members.enumerated().map { index, member in
                    let branch = index == members.count - 1 ? "└ " : "├ "
                    let name = Cell(branch + member.code + " " + member.title(in: displayLanguage))
                    return [Cell(""), name, Cell(""), distance(member)]
                }
        }
    }

    private func distance(_ airport: Airport) -> Cell {
        Cell(airport.distance.map { "\(Int($0.rounded())) km" } ?? "", isRightAligned: true)
    }
}
