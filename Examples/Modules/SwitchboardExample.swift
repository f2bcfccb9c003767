import Switchboard
import SwitchboardTesting

func switchboard(_ store: TemporaryStore) throws {
    let file = store.database
    let switchboard = Switchboard(Settings(database: file, region: "TR"))
    do {
        let answer = try switchboard.find("rio")
        print(answer.results.first?.title ?? "nothing")
    } catch {
        let fault = Fault(error)
        print(fault.message, fault.status.rawValue)
    }
}
