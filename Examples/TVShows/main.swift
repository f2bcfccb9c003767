// Four TV shows as searchable items, and watching them as activities, described in docs/searchable-index.md.
// Run it with `swift run --package-path Examples tv-shows`.

import Foundation
import SwitchboardIncrementalIndex
import SwitchboardSearchableIndex
import SwitchboardStorage

struct Show {
    let id: String
    let title: String
    let genre: String
    let summary: String

    static let all = [
        Show(id: "dunes", title: "Breaking Dunes", genre: "drama", summary: "A chemist walks into the desert."),
        Show(id: "harbour", title: "Harbour Lights", genre: "crime", summary: "Two detectives, one lighthouse."),
        Show(id: "bake", title: "The Great Bake", genre: "contest", summary: "Twelve bakers and an oven."),
        Show(
            id: "orbit", title: "Low Orbit", genre: "science fiction", summary: "A station nobody remembers building."),
    ]
}

let folder = FileManager.default.temporaryDirectory.appending(path: "tv-shows-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let storage = try Storage(at: folder.appending(path: "shows.sqlite").path, migrations: [SearchableIndex.migrations])
let index = SearchableIndex(storage: storage)
let search = ItemSearch(index: index)
let activities = UserActivities(index: index)

// 1. Each show is an item.
try index.put(
    Show.all.map { show in
        var attributes = SearchableItemAttributeSet()
        attributes.title = show.title
        attributes.contentDescription = show.summary
        attributes.keywords = [show.genre]
        attributes.contentType = "public.movie"
        return SearchableItem(uniqueIdentifier: show.id, domainIdentifier: "tv-shows", attributeSet: attributes)
    })

// 2. Watching a show is an activity. Activity and item are one result.
func watch(_ show: Show, episode: Int) throws -> StoredActivity {
    var activity = UserActivity(activityType: "com.example.watching", title: "\(show.title), episode \(episode)")
    activity.userInfo = ["show": .string(show.id), "episode": .number(Double(episode))]
    activity.requiredUserInfoKeys = ["show", "episode"]
    activity.persistentIdentifier = "watching-\(show.id)"
    activity.contentAttributeSet = SearchableItemAttributeSet()
    activity.contentAttributeSet?.relatedUniqueIdentifier = show.id
    return try activities.becomeCurrent(activity)
}
_ = try watch(Show.all[0], episode: 4)

// 3. Search by title, genre and summary, and with a typo.
for typed in ["bre", "crime", "oven", "hrabour"] {
    let names = try search.search(typed).hits.map { $0.item.attributeSet.title ?? "" }
    print("\(typed): \(names.joined(separator: "; "))")
}
let dramas = try index.search(AttributeQuery("keywords == 'drama'c && contentType == 'public.movie'"))
print("dramas: \(dramas.map(\.item.uniqueIdentifier).joined(separator: "; "))")

// 4. Continuing a result returns an activity with its state.
let item = try activities.continuation(of: "harbour", query: "har")
print("chosen: \(item.activity.activityType), \(item.destination)")
let watching = try activities.continuation(of: "watching-dunes")
if case .number(let episode)? = watching.activity.userInfo["episode"] { print("goes on with episode \(Int(episode))") }

// 5. A missing key in userInfo is an error with a message.
var broken = UserActivity(activityType: "com.example.watching", title: "Low Orbit")
broken.persistentIdentifier = "watching-orbit"
broken.requiredUserInfoKeys = ["show", "episode"]
broken.userInfo = ["show": .string("orbit")]
try activities.becomeCurrent(broken)
do {
    _ = try activities.continuation(of: "watching-orbit")
} catch let error as SearchableIndexError {
    print("sorry: \(error.message)")
}

// 6. Deleting the domain deletes the shows and the activities about them.
print("deleted: \(try index.deleteItems(inDomains: ["tv-shows"]).joined(separator: "; "))")
print("left: \(try search.search("").hits.count) row, \(try activities.list().count) activity")
