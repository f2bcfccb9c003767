import SwitchboardKit
import SwitchboardReminders

/// A view above the list; Esc closes the topmost one.
enum Overlay: Sendable {
    /// All details of a row, scrolled to a line, with the index of the selected detail, if any.
    case detail(Row, top: Int, field: Int? = nil)
    /// The key table, scrolled to a line.
    case help(top: Int)
    case palette(Palette)
    case form(Form)
    case question(Question)
    case prompt(Prompt)
    /// The user's badge; nil while it loads.
    case badge(BadgeState?)
    case reminders(Listing)
    case menu(Menu)
    case map

    /// True if the overlay is drawn as a box over the view below it.
    var isBox: Bool {
        switch self {
        case .question, .prompt: true
        default: false
        }
    }

    /// A question with a list of answers.
    ///
    /// A name that is being typed when the question appears must not answer it: keys are dropped until shortly after it
    /// was drawn, and letters never answer.
    struct Question: Sendable {
        struct Answer: Sendable {
            var label: String
            var requests: [Request] = []

            init(_ label: String, _ requests: [Request] = []) {
                self.label = label
                self.requests = requests
            }
        }

        var title: String
        var text: String
        /// The answers. The first one changes nothing; Esc chooses it, and so does Enter by default.
        var answers: [Answer]
        /// The command that asked, whose keys choose the last answer; nil if that answer must be selected.
        var command: Command?
        var selected = 0
        /// The time from which keys are accepted; nil until the question was drawn.
        var opensAt: Duration?

        /// The time during which keys are dropped after the question was drawn or a letter was typed.
        static let pause = Duration.milliseconds(300)
    }

    /// An input line.
    struct Prompt: Sendable {
        enum Kind: Sendable {
            case scan
            case location
            case remind(ids: [String])
            case importContacts
            case exportContacts

            /// True if the value is a path, which Tab completes.
            var isPath: Bool {
                switch self {
                case .scan, .importContacts, .exportContacts: true
                case .location, .remind: false
                }
            }
        }

        var title: String
        /// The values that the prompt accepts.
        var hint = ""
        var kind: Kind
        var field = TextField()
        /// True while the value is being used; the prompt closes on success.
        var isSubmitted = false
        /// The possible completions of a path.
        var completions: [String] = []
        /// The index of the completion in the field; nil if none was selected.
        var selectedCompletion: Int?
        /// True while the completions of a path are requested; later keys wait for them.
        var isCompleting = false
    }

    /// A list of groups, birthdays or duplicates.
    struct Menu: Sendable {
        var kind: MenuKind
        /// The entries; nil while they load.
        var entries: [MenuEntry]?
        var selected = 0

        var entry: MenuEntry? { entries?[safe: selected] }
    }

    /// The command palette with its filter.
    struct Palette: Sendable {
        var field = TextField()
        var selected = 0

        /// Returns the commands whose titles contain a word with each typed prefix.
        func entries(in table: KeyTable) -> [KeyTable.Entry] {
            let words = field.text.lowercased().split(separator: " ")
            return table.entries.filter { entry in
                guard entry.isInPalette else { return false }
                let own = entry.title.lowercased().split { !$0.isLetter }
                return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
            }
        }

        /// Returns the selected command.
        func entry(in table: KeyTable) -> KeyTable.Entry? {
            let entries = entries(in: table)
            return entries.indices.contains(selected) ? entries[selected] : nil
        }
    }
}

/// The text of a keypad session after a key press.
public struct KeypadUpdate: Sendable {
    /// The number of the session.
    public var session: Int
    /// The text of the session, including the current word.
    public var text: String
    /// The keys of the current word.
    public var keys: String
    /// The words that match the keys, best first.
    public var candidates: [String]
    /// The index of the candidate in the text; nil between words.
    public var choice: Int?
    /// The error, if the key could not be handled completely.
    public var failure: String?

    /// Creates an update.
    public init(
        session: Int, text: String, keys: String = "", candidates: [String] = [], choice: Int? = nil,
        failure: String? = nil
    ) {
        self.session = session
        self.text = text
        self.keys = keys
        self.candidates = candidates
        self.choice = choice
        self.failure = failure
    }
}

/// Keypad typing in one field of a form; words are looked up on another thread.
struct KeypadSession: Sendable {
    /// The text before the cursor when the session began.
    let before: String
    var lastUpdate: KeypadUpdate
    /// True while the response to a key press is pending.
    var isWaiting = false
}
