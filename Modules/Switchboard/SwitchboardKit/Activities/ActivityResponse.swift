public import SwitchboardSearchableIndex

/// An activity as it is now: `{"id": "…", "activity": {…}}`.
public struct ActivityResponse: Encodable, Sendable {
    private let id: String
    private let activity: StoredActivity

    /// The answer for an activity.
    public init(_ stored: StoredActivity) {
        id = stored.id
        activity = stored
    }
}
