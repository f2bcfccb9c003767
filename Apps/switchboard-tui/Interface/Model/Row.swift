public import SwitchboardKit
public import SwitchboardReminders
public import SwitchboardSearchableIndex

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

    /// Creates a row.
    public init(_ content: Content, section: String? = nil) {
        self.content = content
        self.section = section
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

    /// Returns all details of the object.
    func details(language: String) -> [Detail] {
        switch content {
        case .result(let result): result.details(language: language)
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
