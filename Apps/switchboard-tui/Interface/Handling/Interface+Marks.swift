import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders

// MARK: - Marked rows

extension Interface {
    /// The marked rows of the tab.
    var marked: [Row] { marks[tab] ?? [] }

    /// True if commands apply to the list. The palette shows which ones are available there.
    var isOnList: Bool { overlays.allSatisfy { if case .palette = $0 { true } else { false } } }

    /// The marked contacts of the tab.
    var markedContacts: [SearchResult] { marked.compactMap(\.result).filter { $0.kind == .contact } }

    mutating func toggleMark(of row: Row) {
        var rows = marked
        if let index = rows.firstIndex(where: { $0.id == row.id }) {
            rows.remove(at: index)
        } else {
            rows.append(row)
        }
        marks[tab] = rows.isEmpty ? nil : rows
    }

    /// Returns one edit for several.
    func bulk(_ edits: [EditCommand]) -> EditCommand {
        if edits.count == 1, let edit = edits.first { return edit }
        return .all(edits)
    }

    /// Returns the effect of a command on all marked rows; nil if it applies to the selected row only.
    func effect(of command: Command, onMarked rows: [Row]) -> Effect? {
        let contacts = rows.compactMap { row -> Contact? in
            if case .contact(let contact)? = row.result?.object { contact } else { nil }
        }
        let prospects = rows.compactMap { row -> Prospect? in
            if case .prospect(let prospect)? = row.result?.object { prospect } else { nil }
        }
        func other(than kind: ResultKind) -> String { rows.first { $0.result?.kind != kind }?.title ?? "" }
        switch command {
        case .favourite:
            guard prospects.isEmpty else {
                return .unavailable("\(other(than: .contact)) cannot be a favourite; only contacts can")
            }
            let isFavourite = !contacts.allSatisfy(\.isFavourite)
            return .requests([
                .perform(
                    .all(
                        contacts.filter { $0.isFavourite != isFavourite }.map { .setFavourite($0.id, to: isFavourite) })
                )
            ])
        case .contacted, .remind, .remindAt:
            guard contacts.isEmpty else { return .unavailable("\(other(than: .prospect)) is not a prospect") }
            if command == .contacted {
                let isContacted = !prospects.allSatisfy(\.isContacted)
                let changed = prospects.filter { $0.isContacted != isContacted }
                return .requests([
                    .perform(.all(changed.map { .setContacted($0.id, to: isContacted, reminder: nil) }))
                ])
            }
            if let contacted = prospects.first(where: \.isContacted) {
                return .unavailable("\(contacted.displayName) was contacted; Space reverts that")
            }
            if command == .remind { return .requests([.perform(.all(prospects.map { .remind($0.id, .nextNine) }))]) }
            return .overlay(remindPrompt("\(prospects.count) prospects", ids: prospects.map(\.id)))
        case .remove:
            let names = rows.prefix(3).map(\.title).joined(separator: ", ") + (rows.count > 3 ? " …" : "")
            let edits =
                contacts.map { EditCommand.removeContact($0.id) } + prospects.map { .removeProspect($0.id) }
            return .overlay(
                removal(of: rows.count == 1 ? names : "\(rows.count) marked rows (\(names))", .all(edits)))
        default: return nil
        }
    }

    /// The question for the name of a file to export to.
    var exportPrompt: Overlay.Prompt {
        let count = markedContacts.count
        let what = count > 0 ? "\(count) marked contacts" : group.map { "the group \($0)" } ?? "all contacts"
        return Overlay.Prompt(
            title: "Export \(what)", hint: "a new file that ends in .vcf, .csv or .json", kind: .exportContacts)
    }

    mutating func openMenu(_ kind: MenuKind) -> [Request] {
        overlays.append(.menu(Overlay.Menu(kind: kind)))
        return [.menu(kind)]
    }
}

extension Row {
    /// The reason why the row cannot be marked; nil if it can.
    var markReason: String? {
        switch result?.kind {
        case .contact, .prospect: nil
        default: "only contacts and prospects can be marked"
        }
    }
}
