import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
public import SwitchboardSearchableIndex
import SwitchboardTextNormalization

extension Switchboard {
    /// The activity type of viewing a result.
    public static let showingType = "switchboard.showing"

    /// Makes viewing a result the current activity, so that another front end can continue it.
    @discardableResult
    public func beginShowing(_ result: SearchResult) throws -> StoredActivity {
        let address = result.link.url
        var activity = UserActivity(activityType: Self.showingType, title: result.title)
        activity.persistentIdentifier = address
        activity.targetContentIdentifier = address
        // The result itself can be found.
        activity.isEligibleForSearch = false
        return try activities.becomeCurrent(activity)
    }

    /// Returns the activities whose title, type or keywords contain a word beginning with each word of a text, in list
    /// order.
    ///
    /// - Parameter text: The text; empty for all activities.
    /// - Throws: `StorageError`.
    /// - Complexity: Linear in the number of activities, which are kept for a month.
    public func searchActivities(_ text: String) throws -> [StoredActivity] {
        let all = try activities.list()
        let wanted = FoldedText(text).words.map(Self.spellings)
        if wanted.isEmpty { return all }
        return all.filter { stored in
            let activity = stored.activity
            let texts = [activity.title ?? "", activity.activityType] + activity.keywords
            let words = texts.flatMap { FoldedText($0).words.flatMap(Self.spellings) }
            return wanted.allSatisfy { alternatives in
                alternatives.contains { prefix in words.contains { $0.starts(with: prefix) } }
            }
        }
    }

    private static func spellings(_ word: FoldedWord) -> [[UInt16]] { word.spellings.map { Array($0.letters) } }

    /// Returns the result that a link refers to; nil for activities and searches.
    ///
    /// - Throws: The errors of the domains if the object does not exist, and `StorageError`.
    public func result(at link: DeepLink) throws -> SearchResult? {
        switch link.kind {
        case .contact: SearchResult(try contacts.contact(link.id))
        case .prospect: SearchResult(try prospects.prospect(link.id))
        case .airport: try row(of: airports.airport(code: link.id))
        case .item:
            SearchResult(
                try items(link.index ?? SearchableIndex.defaultName).item(link.id),
                index: link.index ?? SearchableIndex.defaultName)
        case .activity, .find: nil
        }
    }
}
