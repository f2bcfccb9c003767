import SwitchboardKeypad
import SwitchboardKit
import SwitchboardTesting

func switchboard(_ store: TemporaryStore) throws {
    let file = store.database
    let switchboard = Switchboard(Settings(database: file, region: "TR"))
    do {
        let answer = try switchboard.searchContacts(SearchInput(keys: "5646"))
        print(answer.results.first?.title ?? "no match")
    } catch {
        let fault = SwitchboardError(error)
        print(fault.message, fault.status.rawValue)
    }
}
