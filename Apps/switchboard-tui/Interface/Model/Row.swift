public import SwitchboardReminders
public import SwitchboardSearchableIndex
public import SwitchboardKit

/// A row of a list.
public struct Row: Sendable {
    /// What it shows.
    public enum Content: Sendable {
        /// Something that was found.
        case result(SearchResult)
        /// What was done.
        case activity(StoredActivity)
        /// A reminder.
        case reminder(Reminder)
    }

    /// What it shows.
    public var content: Content
    /// The heading it stands below; rows of one section follow each other.
    public var section: String?

    /// A row.
    public init(_ content: Content, section: String? = nil) {
        self.content = content
        self.section = section
    }

    /// What tells it from others in its list, also after the list was read again.
    public var id: String {
        switch content {
        case .result(let result): result.place.url
        case .activity(let stored): "activity:" + stored.id
        case .reminder(let reminder): "reminder:" + reminder.id
        }
    }

    /// The result, if it is one.
    var result: SearchResult? {
        if case .result(let result) = content { return result }
        return nil
    }

    /// What it is called.
    var title: String {
        switch content {
        case .result(let result): result.title
        case .activity(let stored): stored.activity.title ?? stored.activity.activityType
        case .reminder(let reminder): reminder.title
        }
    }

    /// All that is known of it.
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
