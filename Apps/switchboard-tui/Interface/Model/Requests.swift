public import SwitchboardBadges
public import SwitchboardKeypad
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardStorage
public import SwitchboardKit

/// A question to the switchboard.
public struct Search: Sendable, Hashable {
    /// What tells its answer from those of former ones.
    public var ticket: Int
    /// Which list it fills.
    public var tab: Tab
    /// What was typed.
    public var text: String
    /// Whether the text is the keys of a telephone.
    public var isKeypad: Bool
    /// How many rows at most.
    public var limit: Int
    /// Which prospects.
    public var filter: ProspectFilter
    /// In which order, where nothing was typed.
    public var order: ProspectOrder
}

/// What the interface wants done. Nothing of it is done by the state itself.
public indirect enum Request: Sendable {
    /// Ends the former search and begins this one; answered by ``Event/found(_:)``.
    case search(Search)
    /// Changes something, or takes a change back; answered by ``Event/edited(_:isUndo:)``.
    case perform(Edit, isUndo: Bool = false)
    /// Makes looking at a result the current activity.
    case show(SearchResult)
    /// Remembers that an item was chosen.
    case choose(SearchResult, query: String)
    /// Reads a place anew; answered by ``Event/read(_:goesThere:)``.
    case read(DeepLink, goesThere: Bool)
    /// Takes an activity up; answered by ``Event/continued(open:title:)``.
    case goOn(activity: String)
    /// Asks for one's own badge; answered by ``Event/badge(_:)``.
    case badge
    /// Asks for the reminders; answered by ``Event/reminders(_:)``.
    case reminders
    /// Answers a reminder that is on the screen.
    case answer(Reminder, ReminderChoice?)
    /// Asks what a path may go on with; answered by ``Event/completed(_:for:)``.
    case complete(String)
    /// Reads the badges of a picture.
    case scan(String)
    /// Sets the place of this machine, as it was typed.
    case setPlace(String)
    /// Remembers what the person said, then goes on with what needed it.
    case grant(AccessSubject, Bool, then: Request?)
    /// Asks where all airports are; answered by ``Event/world(_:)``.
    case world
    /// Presses a key of text entry, or ends the word under way (nil); a key is answered by ``Event/typed(_:)``. A run of another number
    /// begins with no text.
    case type(EntryKey?, run: Int)
    case quit, suspend, redraw
}

/// What an answer to a search holds.
public struct Found: Sendable {
    /// That of the search.
    public var ticket: Int
    /// The rows, best first.
    public var rows: [Row]
    /// Whether nothing more comes to this question.
    public var isFinal: Bool
    /// Whether there may be more rows than were asked for.
    public var hasMore: Bool
    /// How long the search took.
    public var elapsed: Duration?
    /// Why there is no answer.
    public var failure: String?
    /// What the server has to add, in words.
    public var remote: String?

    /// An answer; see the properties.
    public init(
        ticket: Int, rows: [Row], isFinal: Bool = true, hasMore: Bool = false, elapsed: Duration? = nil,
        failure: String? = nil, remote: String? = nil
    ) {
        self.ticket = ticket
        self.rows = rows
        self.isFinal = isFinal
        self.hasMore = hasMore
        self.elapsed = elapsed
        self.failure = failure
        self.remote = remote
    }
}

/// One's own badge as far as it is known.
public enum OwnBadge: Sendable {
    /// Nothing was said yet.
    case none
    /// What stands on it, and its code.
    case code(MyDetails, QRCode)
    /// It cannot become a code.
    case failed(MyDetails, reason: String)
}

/// What happens to the interface.
public enum Event: Sendable {
    case key(Key)
    /// Text that was pasted.
    case paste(String)
    case mouse(Mouse)
    case resized(Size)
    case found(Found)
    case edited(Edited, isUndo: Bool)
    /// Something could not be done.
    case failed(String)
    /// Something was done.
    case noted(String)
    /// Something needs the person's consent; `retry` is what needed it.
    case needsAccess(AccessSubject, AccessStatus, purpose: String, retry: Request)
    /// Modules whose data has changed, by whatever process.
    case changed(Set<String>)
    /// A place was read anew; nil if it is no more.
    case read(Row?, goesThere: Bool)
    case continued(open: String, title: String)
    case badge(OwnBadge)
    case reminders([Reminder])
    /// A reminder is due.
    case due(Reminder)
    /// What is due is not shown, and why.
    case dueNotAllowed(String)
    case completed([String], for: String)
    /// What became of a picture.
    case scanned(message: String, undo: [Edit], place: DeepLink?)
    case world([MapPoint])
    /// What the keys of a run have typed.
    case typed(Typed)
}

/// A place on the map.
public struct MapPoint: Hashable, Sendable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// A place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
