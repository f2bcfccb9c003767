import SwitchboardProspects
import SwitchboardStorage
import SwitchboardTesting

func prospects(_ store: TemporaryStore) throws {
    let file = store.database
    let storage = try Storage(at: file, migrations: [Prospects.migrations])
    let prospects = Prospects(storage: storage, region: "PL")
    let added = try prospects.add(Prospect(name: "Łukasz Nowak", email: "lukasz@example.org", met: "FOSDEM"))
    try prospects.setContacted([added.prospect.id])
    print(try prospects.count(.contacted))
}
