import SwitchboardAccounts
import SwitchboardContactSync
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

extension DAVCollection {
    private var domain: ScopeSet.Domain {
        switch self {
        case .contacts: .contacts
        case .prospects: .prospects
        case .reminders: .reminders
        }
    }

    /// The maximum size of a member in bytes.
    var largestMember: Int {
        switch self {
        case .contacts, .prospects: ContactCards.largestCard
        case .reminders: ReminderTasks.largestTask
        }
    }

    func isReadable(with scopes: ScopeSet) -> Bool { scopes.permits(.read, of: domain) }

    func isWritable(with scopes: ScopeSet) -> Bool { self != .prospects && scopes.permits(.write, of: domain) }

    func token(in switchboard: Switchboard) throws -> ChangeToken {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).token()
        case .prospects: try switchboard.prospects.cardToken()
        case .reminders: try switchboard.tasks.token()
        }
    }

    func list(in switchboard: Switchboard) throws -> [StoredResource] {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).list()
        case .prospects: try switchboard.prospects.cards()
        case .reminders: try switchboard.tasks.list()
        }
    }

    /// Calls a closure with all members and their bytes, until it returns `false`.
    func forEach(in switchboard: Switchboard, _ body: (StoredResource, [UInt8]) throws -> Bool) throws {
        if self == .contacts { return try ContactCards(book: switchboard.contacts).forEach(body) }
        for listed in try list(in: switchboard) {
            guard let (resource, bytes) = try member(listed.name, in: switchboard) else { continue }
            if try !body(resource, bytes) { return }
        }
    }

    func member(_ name: String, in switchboard: Switchboard) throws -> (resource: StoredResource, bytes: [UInt8])? {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).card(name)
        case .prospects: try switchboard.prospects.card(name)
        case .reminders: try switchboard.tasks.task(name)
        }
    }

    func changes(since token: ChangeToken?, limit: Int, in switchboard: Switchboard) throws -> ResourceChanges? {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).changes(since: token, limit: limit)
        case .prospects: try switchboard.prospects.cardChanges(since: token, limit: limit)
        case .reminders: try switchboard.tasks.changes(since: token, limit: limit)
        }
    }

    func write(
        _ bytes: [UInt8], as name: String, in switchboard: Switchboard, keepingReplaced keepsReplaced: Bool,
        if permits: (_ tag: String?) -> Bool
    ) throws -> (resource: StoredResource, isNew: Bool) {
        switch self {
        case .contacts:
            try ContactCards(book: switchboard.contacts)
                .write(bytes, as: name, keepingReplaced: keepsReplaced, if: permits)
        case .prospects: preconditionFailure("prospects are read-only")
        case .reminders: (try switchboard.writeTask(bytes, as: name, if: permits), false)
        }
    }

    func remove(_ name: String, in switchboard: Switchboard, if permits: (_ tag: String) -> Bool) throws {
        switch self {
        case .contacts: try ContactCards(book: switchboard.contacts).remove(name, if: permits)
        case .prospects: preconditionFailure("prospects are read-only")
        case .reminders: try switchboard.removeTask(name, if: permits)
        }
    }
}
