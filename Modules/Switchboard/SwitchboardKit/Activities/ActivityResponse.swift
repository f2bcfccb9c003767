public import SwitchboardSearchableIndex

/// The response for an activity: `{"id": "…", "activity": {…}}`.
public struct ActivityResponse: Encodable, Sendable {
    private let id: String
    private let activity: StoredActivity

    /// Creates the response for an activity.
    public init(_ stored: StoredActivity) {
        id = stored.id
        activity = stored
    }
}
