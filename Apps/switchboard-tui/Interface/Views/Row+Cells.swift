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
        case .result(let result): result.cells(isMixed: isMixed)
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
    /// Returns the columns: a symbol or code, the title, and two others.
    fileprivate func cells(isMixed: Bool) -> [RowCell] {
        let columns = columns
        func cell(_ text: HighlightedText, _ style: Style = .plain) -> RowCell {
            RowCell(text.text, style, matches: text.matches)
        }
        let title = cell(columns.title, .strong)
        let detail = cell(columns.detail)
        switch object {
        case .contact(let contact):
            return [
                RowCell(contact.isFavourite ? "★" : " ", contact.isFavourite ? .star : .plain), title, detail,
                cell(columns.other, columns.other.matches.isEmpty ? .faint : .plain),
            ]
        case .prospect(let prospect):
            return [
                RowCell(prospect.isContacted ? "✓" : "·", prospect.isContacted ? .good : .faint), title, detail,
                cell(columns.other),
            ]
        case .airport(let airport, let airports):
            let code = RowCell(id, .strong, matches: highlights["code"] ?? [])
            // The narrow first column of mixed rows has no room for the code.
            if isMixed { return [RowCell("✈", .faint), title, code, detail] }
            var last = airport.distance.map { "\(Int($0.rounded())) km" } ?? ""
            if airport.isCity, !airports.isEmpty { last = airports.map(\.code).joined(separator: " ") }
            if stage == 3, match != .nearby, last.isEmpty { last = "less used" }
            return [code, title, detail, RowCell(last, .faint)]
        case .item: return [RowCell("◆", .faint), title, detail, cell(columns.other, .faint)]
        }
    }
}
