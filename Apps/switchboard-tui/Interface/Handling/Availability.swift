import SwitchboardProspects
import SwitchboardKit

extension Interface {
    /// Why a command cannot be done now; nil if it can.
    public func reasonAgainst(_ command: Command) -> String? {
        switch command {
        case .undo: return undoing.isEmpty ? "there is nothing to undo" : nil
        case .filter, .order:
            return tab == .prospects ? nil : "only Prospects can be filtered and sorted; Alt-3 goes there"
        case .answerReminder: return due.isEmpty ? "no reminder is due" : nil
        case .add:
            return [.contacts, .prospects, .find].contains(tab)
                ? nil : "contacts and prospects can be added; Alt-2 and Alt-3 go there"
        case .open, .toList: return listing.row == nil ? "there is no row" : nil
        case .contacted, .remind, .remindAt, .edit, .remove, .favourite, .call:
            guard let row = subject else { return "there is no row" }
            return reason(against: command, row)
        default: return nil
        }
    }

    private func reason(against command: Command, _ row: Row) -> String? {
        guard let result = row.result else {
            return "\(row.title) is no contact, prospect, airport or item"
        }
        switch (command, result.object) {
        case (.contacted, .prospect), (.remind, .prospect), (.remindAt, .prospect):
            guard case .prospect(let prospect) = result.object, command != .contacted, prospect.isContacted else {
                return nil
            }
            return "\(prospect.displayName) was contacted; Space takes that back"
        case (.contacted, _), (.remind, _), (.remindAt, _): return "\(result.title) is no prospect"
        case (.edit, .contact), (.edit, .prospect), (.remove, .contact), (.remove, .prospect): return nil
        case (.edit, _): return "\(result.title) cannot be edited: only contacts and prospects can"
        case (.remove, _): return "\(result.title) cannot be removed: only contacts and prospects can"
        case (.favourite, .contact): return nil
        case (.favourite, _): return "\(result.title) cannot be a favourite: only contacts can"
        case (.call, .prospect): return "\(result.title) is a prospect; Space says that you have contacted them"
        default: return nil
        }
    }
}
