import SwitchboardBadges
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardKit

/// What lies above the list, one over the other; Esc takes the topmost away.
enum Layer: Sendable {
    /// All that is known of a row, from a line on.
    case detail(Row, top: Int)
    /// The key table, from a line on.
    case help(top: Int)
    case palette(Palette)
    case form(Form)
    case question(Question)
    case prompt(Prompt)
    /// One's own badge; nil while it is being made.
    case badge(OwnBadge?)
    case reminders(Listing)
    /// What may be answered to a reminder.
    case choices(Reminder, chosen: Int)
    case map

    /// A question that is answered by yes or no.
    struct Question: Sendable {
        var text: String
        var yes: [Request]
        var no: [Request] = []
    }

    /// A line that is asked for.
    struct Prompt: Sendable {
        enum Purpose: Sendable {
            case scan
            case place
            case remind(id: String)
        }

        var title: String
        var purpose: Purpose
        var field = TextField()
        /// What the line may go on with.
        var completions: [String] = []
        /// The completion that is in the line; nil if none was taken.
        var taken: Int?
    }

    /// The list of all commands that a line narrows down.
    struct Palette: Sendable {
        var field = TextField()
        var chosen = 0

        /// The commands that have a word beginning with each word typed, or a key of that name.
        var entries: [KeyTable.Entry] {
            let words = field.text.lowercased().split(separator: " ")
            return KeyTable.entries.filter { entry in
                guard entry.isInPalette else { return false }
                let own = entry.title.lowercased().split { !$0.isLetter }
                return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
            }
        }

        /// The chosen command.
        var entry: KeyTable.Entry? {
            let entries = entries
            return entries.indices.contains(chosen) ? entries[chosen] : nil
        }
    }
}
