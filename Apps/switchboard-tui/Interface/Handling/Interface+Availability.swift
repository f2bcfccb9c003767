import SwitchboardKit
import SwitchboardProspects

extension Interface {
    /// Returns the reason why a command is unavailable; nil if it is available.
    public func unavailabilityReason(for command: Command) -> String? {
        switch command {
        case .undo: return undoStack.isEmpty ? "nothing to undo" : nil
        case .filter, .order:
            return tab == .prospects ? nil : "only prospects can be filtered and sorted; press Alt-3"
        case .answerReminder: return dueReminders.isEmpty ? "no reminder is due" : nil
        case .add:
            return [.contacts, .prospects, .find].contains(tab)
                ? nil : "only contacts and prospects can be added; press Alt-2 or Alt-3"
        case .open, .toList: return listing.row == nil ? "no row is selected" : nil
        case .contacted, .remind, .remindAt, .edit, .remove, .favourite, .call:
            guard let row = subject else { return "no row is selected" }
            return reason(against: command, row)
        default: return nil
        }
    }

    private func reason(against command: Command, _ row: Row) -> String? {
        guard let result = row.result else {
            return "\(row.title) is not a contact, prospect, airport or item"
        }
        switch (command, result.object) {
        case (.contacted, .prospect), (.remind, .prospect), (.remindAt, .prospect):
            guard case .prospect(let prospect) = result.object, command != .contacted, prospect.isContacted else {
                return nil
            }
            return "\(prospect.displayName) was contacted; Space reverts that"
        case (.contacted, _), (.remind, _), (.remindAt, _): return "\(result.title) is not a prospect"
        case (.edit, .contact), (.edit, .prospect), (.remove, .contact), (.remove, .prospect): return nil
        case (.edit, _): return "\(result.title) cannot be edited; only contacts and prospects can"
        case (.remove, _): return "\(result.title) cannot be removed; only contacts and prospects can"
        case (.favourite, .contact): return nil
        case (.favourite, _): return "\(result.title) cannot be a favourite; only contacts can"
        case (.call, .prospect): return "\(result.title) is a prospect; Space marks them as contacted"
        default: return nil
        }
    }
}
