import SwitchboardProspects
import SwitchboardTesting

func switchboardTesting() throws {
    let store = try TemporaryStore()  // a folder and a database, deleted with the value
    let clock = FixedClock()  // 14:30 on 21 November 2026, until advanced
    let prospects = Prospects(storage: try store.storage([Prospects.migrations]), clock: clock.read)
    try prospects.add(Prospect(name: "Ana", email: "ana@example.org"))
    clock.advance(by: 86_400)
    print(try prospects.list().first?.createdAt ?? clock.now)
}
