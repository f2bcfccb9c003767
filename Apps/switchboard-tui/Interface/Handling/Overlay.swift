import SwitchboardContacts
public import SwitchboardKit
import SwitchboardProspects
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
    /// A map of the listed airports; each step of the zoom halves its width in degrees.
    case map(zoom: Int = 0)

    /// The characters that are commands of the overlay; others start a search.
    var commandLetters: Set<Character> {
        switch self {
        case .help: ["?", "/"]
        case .map: ["?", "+", "-"]
        default: ["?"]
        }
    }

    /// True if letters belong to the overlay; otherwise they start a search.
    var takesLetters: Bool {
        switch self {
        case .palette, .form, .question, .prompt: true
        case .detail, .help, .badge, .reminders, .menu, .map: false
        }
    }

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
            /// The prompt that follows.
            var prompt: Prompt?

            init(_ label: String, _ requests: [Request] = [], prompt: Prompt? = nil) {
                self.label = label
                self.requests = requests
                self.prompt = prompt
            }
        }

        var title: String
        var text: String
        /// The answers. The first one changes nothing; Esc chooses it, and so does Enter by default.
        var answers: [Answer]
        /// The command that asked, whose keys choose the last answer; nil if that answer must be selected.
        var command: Command?
        var selected = 0
        /// The contacts whose merged fields are added to the text when they are known.
        var mergedContacts: [String]?
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
            /// The country of the numbers in a file that was imported without one.
            case region(of: String)

            /// True if the value is a path, which Tab completes.
            var isPath: Bool {
                switch self {
                case .scan, .importContacts, .exportContacts: true
                case .location, .remind, .region: false
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

/// A list that opens over the tabs.
public enum MenuKind: String, Sendable {
    case groups, birthdays, duplicates
    /// The contacts that may be one person.
    case duplicate = "one person?"
    case removed = "recently removed"
    case importReport = "import report"

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// True if the entries are loaded again when something was changed.
    var isReloaded: Bool { self != .importReport && self != .duplicate }

    /// The text shown in place of an empty list.
    var emptyText: String {
        switch self {
        case .groups: "No contact has a group"
        case .birthdays: "No birthday within a year"
        case .duplicates, .duplicate: "No duplicates"
        case .removed: "No contact was removed"
        case .importReport: "Nothing to report"
        }
    }
}

/// An entry of a menu.
public struct MenuEntry: Sendable {
    /// The effect of choosing an entry.
    public enum Choice: Sendable {
        /// Lists the contacts of a group; nil lists all.
        case group(String?)
        /// Opens a contact.
        case contact(id: String)
        /// Merges contacts into the first one, which has this name, after confirmation. The entries open each of them.
        case merge([String], into: String, people: [MenuEntry] = [])
        /// Restores a removed contact.
        case restore(id: String)
        /// Nothing: the entry is a line of a report.
        case nothing
    }

    /// The columns.
    public var texts: [String]
    /// The effect.
    public var choice: Choice

    /// Creates an entry.
    public init(_ texts: [String], _ choice: Choice) {
        self.texts = texts
        self.choice = choice
    }
}

extension Interface {
    /// Returns the commands that a palette lists, those that are available first.
    func entries(of palette: Overlay.Palette) -> [KeyTable.Entry] {
        let entries = palette.entries(in: keyTable)
        let isAvailable = entries.map { unavailabilityReason(for: $0.command) == nil }
        let indices = entries.indices.filter { isAvailable[$0] } + entries.indices.filter { !isAvailable[$0] }
        return indices.map { entries[$0] }
    }

    mutating func handle(_ key: Key, _ menu: Overlay.Menu) -> [Request] {
        var menu = menu
        let last = max(0, (menu.entries?.count ?? 0) - 1)
        switch key {
        case .escape, .left:
            overlays.removeLast()
            return []
        case .home: menu.selected = 0
        case .end: menu.selected = last
        case .character("?"): return perform(.help)
        case .enter: return menu.entry.map { choose($0) } ?? []
        default:
            let command = keyTable.command(of: key)
            if command == .undo, case .restore(let id)? = menu.entry?.choice { return [.perform(.putBackContact(id))] }
            if command == .undo { return perform(.undo) }
            if command == .merge, case .merge(let ids, let name, _)? = menu.entry?.choice {
                overlays.append(mergeQuestion(ids, into: name))
                return [.previewMerge(ids)]
            }
            if command == .merge, menu.kind == .duplicate {
                overlays.removeLast()
                return handle(key)
            }
            let page = max(1, layout.body.height - 1)
            let distance = key.distance(page: page, tab: true) ?? 0
            menu.selected = min(max(0, menu.selected + distance), last)
        }
        overlays[overlays.count - 1] = .menu(menu)
        return []
    }

    private mutating func choose(_ entry: MenuEntry) -> [Request] {
        switch entry.choice {
        case .group(let name):
            overlays = []
            (tab, group, isCursorOnRow) = (.contacts, name, false)
            searchLine = TextField()
            return [search()]
        case .contact(let id): return [.reload(DeepLink(kind: .contact, id: id), opens: true)]
        case .merge(_, _, let people):
            overlays.append(.menu(Overlay.Menu(kind: .duplicate, entries: people)))
            return []
        case .restore:
            inform("\(keyName(of: .undo)) restores it")
            return []
        case .nothing:
            // The line may be cut.
            inform(entry.texts.joined(separator: ", "))
            return []
        }
    }

    /// Returns the question that confirms a merge.
    func mergeQuestion(_ ids: [String], into name: String) -> Overlay {
        .question(
            Overlay.Question(
                title: "Merge", text: "Merge \(ids.count) contacts into \(name)? All their fields are kept.",
                answers: [
                    Overlay.Question.Answer("Keep them apart"),
                    Overlay.Question.Answer(
                        "They are different people: do not ask again", [.perform(.markAsDifferent(ids, true))]),
                    Overlay.Question.Answer("Merge", [.perform(.mergeContacts(ids))]),
                ], command: .merge, mergedContacts: ids))
    }

    /// Adds the merged contact to the question that confirms the merge.
    mutating func apply(mergePreview details: [Detail], of ids: [String]) {
        guard case .question(var question)? = overlays.last, question.mergedContacts == ids else { return }
        // The result may have another name than the first contact, which may have none.
        let name = details.first?.value ?? ""
        question.text =
            "Merge \(ids.count) contacts into \(name)? All their fields are kept.\n"
            + details.map { "\($0.name): \($0.text)" }.joined(separator: "\n")
        overlays[overlays.count - 1] = .question(question)
    }

    mutating func apply(_ entries: [MenuEntry], of kind: MenuKind) {
        for index in overlays.indices {
            guard case .menu(var menu) = overlays[index], menu.kind == kind else { continue }
            menu.entries = entries
            menu.selected = min(menu.selected, max(0, entries.count - 1))
            overlays[index] = .menu(menu)
        }
    }

    func draw(_ menu: Overlay.Menu, on screen: inout Screen, _ body: Area) {
        guard let entries = menu.entries else { return }
        if entries.isEmpty {
            screen.write(menu.kind.emptyText, row: body.row, style: .faint)
            return
        }
        let top = Interface.top(of: menu.selected, height: body.height)
        let visible = Array(entries.enumerated().dropFirst(top).prefix(body.height))
        let cells = visible.map { entry in
            entry.element.texts.enumerated().map { RowCell($1, $0 == 0 ? .strong : .plain) }
        }
        let widths = Interface.columnWidths(of: cells, room: body.width, gap: 2)
        for (line, cells) in cells.enumerated() {
            var column = body.column
            for (width, cell) in zip(widths, cells) where width > 0 {
                screen.write(cell.glyphs(in: width), row: body.row + line, column: column, width: width)
                column += width + 2
            }
        }
        let row = body.row + menu.selected - top
        screen.highlight(row: row, columns: body.column..<body.column + body.width)
        screen.cursor = Position(row: row, column: body.column)
    }
}

/// A picker: the interface returns the chosen rows instead of opening them.
public struct Picker: Sendable {
    /// The kinds of rows that a picker can offer.
    public enum Kind: String, CaseIterable, Sendable {
        case contact, airport, prospect, item
        /// Every kind.
        case any
    }

    /// The text of an object that a picker prints.
    public enum Field: String, CaseIterable, Sendable {
        case email, phone, iata, id, json

        /// The name in messages.
        public var name: String {
            switch self {
            case .email: "e-mail address"
            case .phone: "phone number"
            case .iata: "airport code"
            case .id, .json: rawValue
            }
        }

        /// Returns the field of an object; nil if the object has none. JSON is written by the caller.
        public func text(of result: SearchResult) -> String? {
            let text: String? =
                switch (self, result.object) {
                case (.id, _), (.json, _): result.id
                case (.email, .contact(let contact)): contact.emails.first?.address
                case (.email, .prospect(let prospect)): prospect.email
                case (.phone, _): result.dialedNumber
                case (.iata, .airport): result.id
                default: nil
                }
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// The kind of rows to offer.
    public let kind: Kind
    /// The field that offered rows have.
    public let field: Field
    /// True if Tab marks several rows.
    public let takesSeveral: Bool
    /// The marked rows, in the order in which they were marked.
    var marked: [Row] = []

    /// Creates a picker.
    ///
    /// - Parameter field: the field to print; nil for the code of an airport, and the identifier of anything else.
    public init(_ kind: Kind, takesSeveral: Bool = false, field: Field? = nil) {
        self.kind = kind
        self.field = field ?? (kind == .airport ? .iata : .id)
        self.takesSeveral = takesSeveral
    }

    /// The tab whose search the picker uses.
    var tab: Tab {
        switch kind {
        case .contact: .contacts
        case .airport: .airports
        case .prospect: .prospects
        case .item, .any: .find
        }
    }

    /// The kinds to search in Find.
    var kinds: Set<ResultKind> { kind == .item ? [.item] : Set(ResultKind.allCases) }

    mutating func toggle(_ row: Row) {
        if let index = marked.firstIndex(where: { $0.id == row.id }) {
            marked.remove(at: index)
        } else {
            marked.append(row)
        }
    }
}

extension Interface {
    /// Handles a key of the picker: letters and editing keys search, Enter chooses, Esc cancels.
    mutating func pick(with key: Key, from picker: Picker) -> [Request] {
        switch key {
        case .escape, .control("c"), .control("g"), .control("q"): return [.cancelPicking]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .enter: return perform(.open)
        case .tab, .backTab:
            guard picker.takesSeveral, !isStale, let row = listing.row else { return [] }
            self.picker?.toggle(row)
            return perform(key == .tab ? .down : .up)
        default:
            if let command = keyTable.command(of: key),
                [.down, .up, .pageDown, .pageUp, .first, .last].contains(command)
            {
                return perform(command)
            }
            return edit(key)
        }
    }

    /// Returns the marked rows, or else the selected one; none if the list is empty.
    func picked(by picker: Picker) -> [Request] {
        let rows = picker.marked.isEmpty ? listing.row.map { [$0] } ?? [] : picker.marked
        return [.pick(rows.compactMap(\.result?.link))]
    }
}
