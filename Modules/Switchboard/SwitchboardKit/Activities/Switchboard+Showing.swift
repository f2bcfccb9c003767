import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
public import SwitchboardSearchableIndex
import SwitchboardTextNormalization

extension Switchboard {
    /// The type of the activity of looking at something.
    public static let showingType = "switchboard.showing"

    /// Makes looking at a result what the person does now, so that another front end can go on with it.
    ///
    /// - Throws: `StorageError`.
    @discardableResult
    public func beginShowing(_ result: SearchResult) throws -> StoredActivity {
        let place = result.place.url
        var activity = UserActivity(activityType: Self.showingType, title: result.title)
        activity.persistentIdentifier = place
        activity.targetContentIdentifier = place
        // What is shown is found by itself.
        activity.isEligibleForSearch = false
        return try activities.becomeCurrent(activity)
    }

    /// The activities whose title, type or keywords have a word beginning with each word of a text, in the order of the list.
    ///
    /// - Parameter text: the empty text finds all.
    /// - Throws: `StorageError`.
    /// - Complexity: linear in the activities, of which there are as many as a month holds.
    public func findActivities(_ text: String) throws -> [StoredActivity] {
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

    /// The result that a place leads to; nil if it leads to no contact, prospect, airport or item.
    ///
    /// - Throws: what the domains throw where nothing has that identifier, and `StorageError`.
    public func result(at place: DeepLink) throws -> SearchResult? {
        switch place.kind {
        case .contact: SearchResult(try contacts.contact(place.id))
        case .prospect: SearchResult(try prospects.prospect(place.id))
        case .airport: try row(of: airports.airport(code: place.id))
        case .item:
            SearchResult(
                try items(place.index ?? SearchableIndex.defaultName).item(place.id),
                index: place.index ?? SearchableIndex.defaultName)
        case .activity, .find: nil
        }
    }
}
