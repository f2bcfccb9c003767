import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardTesting

func people(_ store: TemporaryStore) throws {
    let file = store.database
    let people = Accounts(storage: try Storage(at: file, migrations: [Accounts.migrations]))
    let issued = try people.issueToken(to: "ana", scopes: ScopeSet(parsing: "contacts,index:read"))
    let access = try people.access(token: issued.secret)  // the secret is shown once; only a hash is kept
    print(access?.scopes.permits(.write, of: .index) ?? false)
}
