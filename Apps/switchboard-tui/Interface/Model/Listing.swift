public import SwitchboardKit
public import SwitchboardReminders
public import SwitchboardSearchableIndex

/// A tab of the interface.
public enum Tab: Int, CaseIterable, Hashable, Sendable {
    case find, contacts, prospects, airports, activity

    /// The label in the tab bar.
    public var title: String { ["Find", "Contacts", "Prospects", "Airports", "Activity"][rawValue] }

    /// True if digits in the search text are a keypad search.
    var supportsKeypad: Bool { self != .activity }
}

/// A list with its selection and the state of the search that fills it.
public struct Listing: Sendable {
    /// The rows, best first.
    public internal(set) var rows: [Row] = []
    /// The index of the selected row; 0 if the list is empty.
    public internal(set) var selected = 0
    /// The first visible line, counting headings.
    var top = 0
    /// The maximum number of rows; 0 for all, nil before the first search.
    var limit: Int?
    /// True if there may be more rows than the limit.
    var hasMore = false
    /// The number of rows without a limit; nil if unknown.
    var total: Int?
    /// True if the last row is to be selected once all rows are listed.
    var goesToEnd = false
    /// The search text that produced the rows.
    var text = ""
    var isSearching = false
    /// The reason for a slow search; nil if it is not slow.
    var delay: String?
    /// The error of a failed search.
    var failure: String?
    /// The state of the server request as text; nil if no server is used.
    var remote: String?

    /// The number of the selected row and the number of rows, such as "7 of 342".
    var position: String {
        rows.isEmpty
            ? "no rows" : "\(selected + 1) of \(max(total ?? 0, rows.count))\(hasMore && total == nil ? "+" : "")"
    }

    /// The selected row; nil if the list is empty.
    public var row: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    /// Replaces the rows.
    ///
    /// - Parameter isSame: keeps the selected row, for new results of the same search.
    mutating func replaceRows(_ rows: [Row], keepingSelection isSame: Bool) {
        let id = row?.id
        self.rows = rows
        if isSame, let id, let index = rows.firstIndex(where: { $0.id == id }) {
            selected = index
        } else if isSame {
            selected = min(selected, max(0, rows.count - 1))
        } else {
            (selected, top) = (0, 0)
        }
    }

    /// Moves the selection, clamped to the list.
    mutating func move(by distance: Int) {
        selected = min(max(0, selected + distance), max(0, rows.count - 1))
    }

    // MARK: - Lines

    /// The line of each row and the number of lines, counting headings.
    var lines: (ofRows: [Int], count: Int) {
        var places: [Int] = []
        places.reserveCapacity(rows.count)
        var line = 0
        var section: String?
        for row in rows {
            if let heading = row.section, heading != section { line += 1 }
            section = row.section
            places.append(line)
            line += 1
        }
        return (places, line)
    }

    /// Scrolls the selected row into view, in a view of `height` lines.
    mutating func scroll(height: Int) {
        let (places, count) = lines
        guard places.indices.contains(selected), height > 0 else {
            top = 0
            return
        }
        let line = places[selected]
        // The heading of a section is visible with its first row.
        let first = selected == 0 || rows[selected].section != rows[selected - 1].section ? max(0, line - 1) : line
        if first < top { top = first }
        if line >= top + height { top = line - height + 1 }
        top = max(0, min(top, count - height))
    }
}

/// A row of a list.
public struct Row: Sendable {
    /// The object that a row shows.
    public enum Content: Sendable {
        /// A contact, prospect, airport or item.
        case result(SearchResult)
        /// An activity.
        case activity(StoredActivity)
        /// A reminder.
        case reminder(Reminder)
    }

    /// The object.
    public var content: Content
    /// The section heading; rows of one section are adjacent.
    public var section: String?
    /// The pending reminder of a prospect.
    public var reminder: Reminder?

    /// Creates a row.
    public init(_ content: Content, section: String? = nil, reminder: Reminder? = nil) {
        self.content = content
        self.section = section
        self.reminder = reminder
    }

    /// The identity of the row in its list, stable across reloads.
    public var id: String {
        switch content {
        case .result(let result): result.link.url
        case .activity(let stored): "activity:" + stored.id
        case .reminder(let reminder): "reminder:" + reminder.id
        }
    }

    /// The search result, if the row shows one.
    var result: SearchResult? {
        if case .result(let result) = content { return result }
        return nil
    }

    var title: String {
        switch content {
        case .result(let result): result.title
        case .activity(let stored): stored.activity.title ?? stored.activity.activityType
        case .reminder(let reminder): reminder.title
        }
    }

    func details(language: String) -> [Detail] {
        switch content {
        case .result(let result):
            result.details(language: language)
                + (reminder.map { [Detail("reminder", "⏰ " + $0.localTime, .strong)] } ?? [])
        case .activity(let stored): stored.details
        case .reminder(let reminder):
            [
                Detail("reminder", reminder.title, .strong), Detail("text", reminder.body),
                Detail("due", reminder.localTime), Detail("state", reminder.state.rawValue),
                Detail("failing", reminder.failure), Detail("id", reminder.id, .faint),
            ].filter { !$0.text.isEmpty }
        }
    }
}
