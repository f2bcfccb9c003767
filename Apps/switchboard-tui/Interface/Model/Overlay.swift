import SwitchboardBadges
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders

/// A view above the list; Esc closes the topmost one.
enum Overlay: Sendable {
    /// All details of a row, scrolled to a line.
    case detail(Row, top: Int)
    /// The key table, scrolled to a line.
    case help(top: Int)
    case palette(Palette)
    case form(Form)
    case question(Question)
    case prompt(Prompt)
    /// The user's badge; nil while it loads.
    case badge(BadgeState?)
    case reminders(Listing)
    /// The possible answers to a reminder.
    case choices(Reminder, selected: Int)
    case map

    /// A yes-or-no question.
    struct Question: Sendable {
        var text: String
        var yes: [Request]
        var no: [Request] = []
    }

    /// An input line.
    struct Prompt: Sendable {
        enum Kind: Sendable {
            case scan
            case location
            case remind(id: String)
        }

        var title: String
        var kind: Kind
        var field = TextField()
        /// The possible completions of a path.
        var completions: [String] = []
        /// The index of the completion in the field; nil if none was selected.
        var selectedCompletion: Int?
        /// True while the completions of a path are requested; later keys wait for them.
        var isCompleting = false
    }

    /// The command palette with its filter.
    struct Palette: Sendable {
        var field = TextField()
        var selected = 0

        /// The commands whose titles have, for each typed word, a word with that prefix.
        var entries: [KeyTable.Entry] {
            let words = field.text.lowercased().split(separator: " ")
            return KeyTable.entries.filter { entry in
                guard entry.isInPalette else { return false }
                let own = entry.title.lowercased().split { !$0.isLetter }
                return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
            }
        }

        /// The selected command.
        var entry: KeyTable.Entry? {
            let entries = entries
            return entries.indices.contains(selected) ? entries[selected] : nil
        }
    }
}
