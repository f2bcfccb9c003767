import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardTesting

func accounts(_ store: TemporaryStore) throws {
    let file = store.database
    let accounts = Accounts(storage: try Storage(at: file, migrations: [Accounts.migrations]))
    let issued = try accounts.issueToken(
        to: "ana", scopes: ScopeSet(parsing: "contacts,index:read"), creatingPerson: true)
    let access = try accounts.access(token: issued.secret)  // the secret is shown only once
    print(access?.scopes.permits(.write, of: .index) ?? false)
}
