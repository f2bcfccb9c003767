import SwitchboardKit
import SwitchboardReminders

// MARK: - Marked rows

extension Interface {
    /// The marked rows of the tab.
    var marked: [Mark] { marks[tab]?.list ?? [] }

    /// True if commands apply to the list. The palette shows the commands that are available there.
    var isOnList: Bool { overlays.allSatisfy { if case .palette = $0 { true } else { false } } }

    /// The marked contacts of the tab.
    var markedContacts: [Mark] { marked.filter { $0.kind == .contact } }

    mutating func toggleMark(of row: Row) {
        guard let mark = row.result.flatMap(Mark.init) else { return }
        marks[tab, default: Marks()].toggle(mark)
    }

    /// Marks all rows of the list, including rows that are not loaded, or removes all marks.
    mutating func markAll() -> [Request] {
        if !marked.isEmpty {
            marks[tab] = nil
        } else if listing.hasMore {
            markingTicket = lastTicket
            inform("marking…")
            return [.markAll(search(limit: 0))]
        } else {
            marks[tab] = Marks(listing.rows.compactMap { $0.result.flatMap(Mark.init) })
        }
        return []
    }

    /// Marks all rows, then performs the commands that waited for the marks.
    mutating func apply(_ marks: [Mark], of ticket: Int) -> [Request] {
        guard ticket == markingTicket else { return [] }
        (markingTicket, message) = (nil, nil)
        self.marks[tab] = Marks(marks)
        return performDeferredCommands()
    }

    /// Combines several edits into one.
    func bulk(_ edits: [EditCommand]) -> EditCommand {
        if edits.count == 1, let edit = edits.first { return edit }
        return .all(edits)
    }

    /// Returns the reason that a command cannot apply to all marked rows; nil if it can.
    func refusal(of command: Command, onMarked marks: [Mark]) -> String? {
        switch command {
        case .favourite:
            return marks.first { $0.kind != .contact }.map { "\($0.title) cannot be a favourite; only contacts can" }
        case .contacted, .remind, .remindAt:
            if let other = marks.first(where: { $0.kind != .prospect }) { return "\(other.title) is not a prospect" }
            guard command != .contacted else { return nil }
            return marks.first(where: \.isFlagged).map { alreadyContacted($0.title) }
        default: return nil
        }
    }

    /// Returns the effect of a command on all marked rows; nil if it applies to the selected row only.
    func effect(of command: Command, onMarked marks: [Mark]) -> Effect? {
        if let reason = refusal(of: command, onMarked: marks) { return .unavailable(reason) }
        switch command {
        case .favourite, .contacted:
            let isFlagged = !marks.allSatisfy(\.isFlagged)
            let edits = marks.filter { $0.isFlagged != isFlagged }.map { mark -> EditCommand in
                command == .favourite
                    ? .setFavourite(mark.object, to: isFlagged)
                    : .setContacted(mark.object, to: isFlagged, reminder: nil)
            }
            return .requests([.perform(.all(edits))])
        case .remind: return .requests([.perform(.all(marks.map { .remind($0.object, .nextNine) }))])
        case .remindAt: return .overlay(remindPrompt("\(marks.count) prospects", ids: marks.map(\.object)))
        case .remove:
            let names = marks.prefix(3).map(\.title).joined(separator: ", ") + (marks.count > 3 ? " …" : "")
            let edits = marks.map { mark -> EditCommand in
                mark.kind == .contact ? .removeContact(mark.object) : .removeProspect(mark.object)
            }
            return .overlay(
                removal(of: marks.count == 1 ? names : "\(marks.count) marked rows (\(names))", .all(edits)))
        default: return nil
        }
    }

    /// The prompt for the name of the export file.
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
    /// The reason that the row cannot be marked; nil if it can.
    var markReason: String? {
        switch result?.kind {
        case .contact, .prospect: nil
        default: "only contacts and prospects can be marked"
        }
    }
}
