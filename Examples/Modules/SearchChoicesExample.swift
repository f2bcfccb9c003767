import SwitchboardSearchChoices
import SwitchboardStorage
import SwitchboardTesting

func searchChoices(_ store: TemporaryStore) throws {
    let file = store.database
    let storage = try Storage(at: file, migrations: [SearchChoices.migrations])
    let choices = SearchChoices(storage: storage)
    try choices.record("airport-LHR", kind: "airport", query: "lon")
    print(try choices.preferences(for: "lo", kind: "airport").map(\.id))  // ["airport-LHR"]
}
