public import SwitchboardAirports
public import SwitchboardBadges
public import SwitchboardContacts
public import SwitchboardKeypad
public import SwitchboardKit
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardStorage

/// A search for the rows of a tab.
public struct Search: Sendable, Hashable {
    /// The number that its updates carry.
    public var ticket: Int
    /// The tab whose list it fills.
    public var tab: Tab
    /// The search text.
    public var text: String
    /// True if the text is a sequence of keypad keys.
    public var isKeypad: Bool
    /// The maximum number of rows.
    public var limit: Int
    /// The filter of the prospects.
    public var filter: ProspectFilter
    /// The order of the prospects if the text is empty.
    public var order: ProspectOrder
    /// The kinds to search in Find.
    public var kinds: Set<ResultKind>
    /// The group whose contacts are searched; nil for all.
    public var group: String?
    /// The order of contacts if the text is empty; nil lists favorites and the most used contacts first.
    public var contactOrder: ContactSortOrder?
    /// The field that the rows must have; nil for all rows.
    public var field: Picker.Field?
}

/// An effect that the caller executes for the interface.
public indirect enum Request: Sendable {
    /// Cancels the previous search and starts this one; response ``Event/searchUpdated(_:)``.
    case search(Search)
    /// Finds all rows of a search for marking; response ``Event/allMarked(_:_:)``.
    case markAll(Search)
    /// Performs or undoes an edit; response ``Event/edited(_:isUndo:)``.
    case perform(EditCommand, isUndo: Bool = false)
    /// Makes viewing a result the current activity.
    case recordView(SearchResult)
    /// Records that a result was opened from the rows of a search.
    case recordOpening(SearchResult, SearchInput)
    /// Records that an item was chosen.
    case recordChoice(SearchResult, query: String)
    /// Reloads an object; response ``Event/reloaded(_:opens:)``.
    case reload(DeepLink, opens: Bool)
    /// Resumes an activity; response ``Event/resumed(url:title:)``.
    case resumeActivity(id: String)
    /// Loads the user's badge; response ``Event/badge(_:)``.
    case badge
    /// Loads the reminders; response ``Event/reminders(_:)``.
    case reminders
    /// Answers a due reminder; nil dismisses it.
    case answer(Reminder, ReminderChoice?)
    /// Completes a path; response ``Event/pathCompleted(_:for:)``.
    case completePath(String)
    /// Scans the badges in a picture file.
    case scan(String)
    /// Sets the location of this machine from typed coordinates.
    case setLocation(String)
    /// Stores the user's decision, then retries the request that needed it.
    case grant(AccessSubject, Bool, then: Request?)
    /// Loads the entries of a menu; response ``Event/menuLoaded(_:_:)``.
    case menu(MenuKind)
    /// Merges contacts without storing the result; response ``Event/mergePreviewed(_:_:)``.
    case previewMerge([String])
    /// Imports contacts from a file; response ``Event/imported(_:_:isUndoable:)``. With a region, the last import is undone
    /// and repeated with it, and the region is stored.
    case importContacts(String, region: String? = nil)
    /// Exports contacts to a file: a group, the given identifiers, or all; response ``Event/exported(_:)``.
    case exportContacts(String, group: String?, ids: [String]?)
    /// Edits the note of an object in the user's text editor; response ``Event/noteEdited(_:_:)`` if it was changed.
    case editNote(SearchResult, String)
    /// Presses a key of a keypad session, with response ``Event/keypadUpdated(_:)``, or finishes its last word (nil).
    ///
    /// A new session number begins with an empty text.
    case pressKeypad(EntryKey?, session: Int)
    /// Ends the picker with the chosen objects; none if nothing matches.
    case pick([DeepLink])
    /// Ends the picker without a choice.
    case cancelPicking
    /// Opens an item or activity in its owner's app on the desktop, if it has an owner; response ``Event/notice(_:)``.
    case openWithOwner(DeepLink)
    /// Opens an address in the desktop's default program; response ``Event/notice(_:)``.
    case open(String)
    /// Copies a text to the terminal's clipboard.
    case copy(String)
    case quit, suspend, redraw
}

/// The results of a search so far.
public struct SearchUpdate: Sendable {
    /// The ticket of the search.
    public var ticket: Int
    /// The rows, best first.
    public var rows: [Row]
    /// True if this is the last update of the search.
    public var isFinal: Bool
    /// True if there may be more rows than the limit.
    public var hasMore: Bool
    /// The number of rows without a limit; nil if unknown.
    public var total: Int?
    /// The error of a failed search.
    public var failure: String?
    /// The state of the server request as text.
    public var remote: String?

    /// Creates an update.
    public init(
        ticket: Int, rows: [Row], isFinal: Bool = true, hasMore: Bool = false, total: Int? = nil,
        failure: String? = nil, remote: String? = nil
    ) {
        self.ticket = ticket
        self.rows = rows
        self.isFinal = isFinal
        self.hasMore = hasMore
        self.total = total
        self.failure = failure
        self.remote = remote
    }
}

/// The user's badge.
public enum BadgeState: Sendable {
    /// No details are set.
    case empty
    /// The details and their QR codes, the most complete one first; smaller ones lack some details.
    case code(MyDetails, [QRCode])
    /// The details do not fit into a QR code.
    case failed(MyDetails, reason: String)
}

/// An input or response that the interface handles.
public enum Event: Sendable {
    case key(Key)
    /// The screen was drawn; a question accepts only keys that are pressed afterwards.
    case drawn
    /// Pasted text.
    case paste(String)
    case mouse(Mouse)
    case resized(Size)
    case searchUpdated(SearchUpdate)
    /// The number of all rows of the search with a ticket, or of more than these.
    case counted(Int, Int, hasMore: Bool = false)
    /// The marks of all rows of the search with a ticket.
    case allMarked(Int, [Mark])
    case edited(EditResult, isUndo: Bool)
    /// A request failed, or something other than a request (nil).
    case failed(String, of: Request?)
    /// A request succeeded.
    case notice(String)
    /// The location of this machine was set.
    case located(String)
    /// A search is slow, for the reason in the text.
    case searchDelayed(ticket: Int, String)
    /// A request needs the user's consent; `retry` is that request.
    case needsAccess(AccessSubject, AccessStatus, purpose: String, retry: Request)
    /// The data of these modules was changed by this or another process.
    case changed(Set<String>)
    /// An object was reloaded; nil if it no longer exists.
    case reloaded(Row?, opens: Bool)
    case resumed(url: String, title: String)
    case badge(BadgeState)
    case reminders([Reminder])
    /// A reminder is due.
    case due(Reminder)
    /// Due reminders are not shown, for this reason.
    case dueNotAllowed(String)
    case pathCompleted([String], for: String)
    /// A picture was scanned.
    case scanned(message: String, undo: [EditCommand], link: DeepLink?)
    case menuLoaded(MenuKind, [MenuEntry])
    /// The identifiers of contacts, and the details of the contact into which they would be merged.
    case mergePreviewed([String], [Detail])
    /// Contacts were exported.
    case exported(String)
    /// Contacts were imported; a message, and lines about single cards.
    case imported(String, [MenuEntry], isUndoable: Bool)
    /// A number of imported numbers, from the file of a path, have no country code because no region is set.
    case regionMissing(numbers: Int, path: String)
    /// The region of numbers without a country code was set.
    case regionSet(String)
    /// The note of an object was changed in the text editor.
    case noteEdited(SearchResult, String)
    /// An edit conflicts with data stored in the meantime.
    case conflicted(EditConflict, EditCommand, isUndo: Bool)
    case keypadUpdated(KeypadUpdate)
}

/// A point on the map.
public struct MapPoint: Hashable, Sendable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
}

extension Request {
    /// True if the response is ``Event/edited(_:isUndo:)``, unless the request fails or needs consent.
    var isEdit: Bool {
        switch self {
        case .perform: true
        case .grant(_, true, let retry?): retry.isEdit
        default: false
        }
    }

    /// True if a form or prompt waits for the response.
    var isSubmission: Bool {
        switch self {
        case .scan, .setLocation, .importContacts, .exportContacts: true
        case .grant(_, true, let retry?): retry.isSubmission
        default: isEdit
        }
    }
}

extension MapPoint {
    /// Creates the point of an airport.
    public init(_ airport: Airport) { self.init(latitude: airport.latitude, longitude: airport.longitude) }
}
