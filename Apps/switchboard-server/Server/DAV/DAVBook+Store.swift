import SwitchboardAccounts
import SwitchboardContactSync
import SwitchboardKit
import SwitchboardProspects
import SwitchboardStorage

extension DAVBook {
    private var domain: ScopeSet.Domain {
        switch self {
        case .contacts: .contacts
        case .prospects: .prospects
        }
    }

    func isReadable(with scopes: ScopeSet) -> Bool { scopes.permits(.read, of: domain) }

    func isWritable(with scopes: ScopeSet) -> Bool { self == .contacts && scopes.permits(.write, of: domain) }

    func token(in switchboard: Switchboard) throws -> ChangeToken {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).token()
        case .prospects: try switchboard.prospects.cardToken()
        }
    }

    func list(in switchboard: Switchboard) throws -> [StoredResource] {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).list()
        case .prospects: try switchboard.prospects.cards()
        }
    }

    func card(_ name: String, in switchboard: Switchboard) throws -> (resource: StoredResource, bytes: [UInt8])? {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).card(name)
        case .prospects: try switchboard.prospects.card(name)
        }
    }

    func changes(since token: ChangeToken?, limit: Int, in switchboard: Switchboard) throws -> ResourceChanges? {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).changes(since: token, limit: limit)
        case .prospects: try switchboard.prospects.cardChanges(since: token, limit: limit)
        }
    }
}
