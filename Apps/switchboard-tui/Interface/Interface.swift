import SwitchboardProspects
import SwitchboardReminders
import SwitchboardKit

/// The terminal interface as a plain value: keys and answers go in, requests come out, and the screen is made from it.
///
/// It does nothing itself: no terminal, no database, no clock. For example:
///
/// ```swift
/// var interface = Interface(size: Size(columns: 80, rows: 24))
/// var requests = interface.begin()
/// requests += interface.handle(.key(.character("5")))
/// print(interface.screen().text)
/// ```
///
/// Whoever wordSuffixes it does what the requests say, on other threads, and hands the answers back as events. Of several answers to the searches
/// of one line only that to the last one counts.
///
/// ## Topics
///
/// - In: ``Event``, ``Key``, ``Mouse``
/// - Out: ``Request``, ``Screen``
/// - What key does what: ``KeyTable``
public struct Interface: Sendable {
    /// Columns and rows of the terminal.
    public internal(set) var size: Size
    /// The language of airports' names.
    public let language: String
    /// Whether the terminal has colours, in which a code can be black on white.
    public let hasColours: Bool

    /// The tab that is shown.
    public internal(set) var tab = Tab.find
    /// The search line.
    public internal(set) var line = TextField()
    /// Whether the list has the focus, rather than the search line.
    public internal(set) var isInList = false
    /// What lies above the list.
    var layers: [Layer] = []
    /// The list of each tab.
    var listings: [Tab: Listing] = [:]
    var filter = ProspectFilter.everyone
    var order = ProspectOrder.name

    /// What takes back what was done, the last one last.
    var undoing: [Undoing] = []
    /// A line at the foot: what was done or went wrong.
    var message: Message?
    /// The reminders that are due and not answered, the latest last.
    var due: [Reminder] = []
    /// Why due reminders are not shown.
    var dueNotice: String?
    /// Where all airports are, for the map.
    var world: [MapPoint] = []
    /// Whether the cursor rests on the chosen row although the search line has the focus: after moving about.
    var isCursorOnRow = false
    var lastTicket = 0
    /// The row to choose once it is there: what was just added or changed.
    var wanted: String?
    /// Commands about the rows that are on their way: whoever types a name and Enter means the row that comes, not the one that is there.
    var waiting: [Command] = []
    /// A form whose edit is on its way: should it be refused, what was typed is not lost.
    var sent: Form?
    /// Whether digits type words in forms.
    var isNineKeys = false
    /// What is being typed with nine keys; nil while no such key was pressed in the field.
    var run: NineKeyRun?
    /// How many wordSuffixes there were.
    var lastRun = 0
    /// Keys that wait until the word before them is there.
    var held: [Key] = []

    /// Something that can be taken back.
    enum Undoing: Sendable {
        case edits([Edit])
        case form(Form)
    }

    /// What is said at the foot.
    struct Message: Sendable {
        var text: String
        var isWarning = false
    }

    /// An interface that shows nothing yet.
    public init(size: Size, language: String = "en", hasColours: Bool = true) {
        self.size = size
        self.language = language
        self.hasColours = hasColours
    }

    /// What is wanted first: the rows of the empty line.
    public mutating func begin() -> [Request] { [search()] }

    // MARK: - The list that is shown

    /// The list of the tab.
    public internal(set) var listing: Listing {
        get { listings[tab] ?? Listing() }
        set { listings[tab] = newValue }
    }

    /// Whether the line is the keys of a telephone.
    public var isKeypad: Bool {
        let text = line.text
        return tab.readsKeys && !text.isEmpty && text.allSatisfy { $0.wholeNumberValue.map { $0 < 10 } ?? false }
    }

    /// Asks for the rows of the line.
    ///
    /// - Parameter isSame: whether the question was asked before: then as many rows as are there already.
    mutating func search(isSame: Bool = false) -> Request {
        lastTicket += 1
        var listing = listing
        if !isSame { (waiting, listing.remote) = ([], nil) }
        listing.isSearching = true
        let screenful = max(20, size.rows)
        listing.limit = isSame ? max(listing.limit, screenful) : screenful
        self.listing = listing
        return .search(
            Search(
                ticket: lastTicket, tab: tab, text: line.text, isKeypad: isKeypad, limit: listing.limit, filter: filter,
                order: order))
    }

    /// Whether the rows that are shown answer a former question.
    var isBehind: Bool {
        let listing = listing
        return listing.isSearching && (listing.text != line.text || listing.rows.isEmpty)
    }

    /// The row that actions are about: that of the detail above, else the chosen one.
    var subject: Row? {
        for layer in layers.reversed() {
            switch layer {
            case .detail(let row, _): return row
            case .reminders(let listing): return listing.row
            default: continue
            }
        }
        return listing.row
    }

    mutating func say(_ text: String) { message = Message(text: text) }
    mutating func warn(_ text: String) { message = Message(text: text, isWarning: true) }
}
