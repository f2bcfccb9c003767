import Foundation
import GRDB
import SwitchboardStorage
public import SwitchboardWebPush

/// A browser that is sent the reminders of a person.
public struct PushReceiver: Hashable, Sendable {
    /// The identifier.
    public let id: String
    /// The person.
    public let person: Person
    /// The subscription of the browser.
    public let subscription: PushSubscription
}

// MARK: - Web Push

extension Accounts {
    /// The maximum number of browsers of one token that are sent reminders; a further one replaces the oldest.
    public static let maximumReceivers = 20

    /// Returns the key by which push services recognise this server, created if missing.
    ///
    /// - Throws: `StorageError`.
    public func pushKey() throws -> PushServerKey {
        try PushServerKey(bytes: try key("push") { PushServerKey().bytes })
    }

    /// Sends reminders to a browser from now on, until its token or session ends.
    ///
    /// A browser that subscribed before, also for another person, is replaced.
    ///
    /// - Parameters:
    ///   - subscription: The subscription of the browser.
    ///   - token: The token of the caller.
    ///   - session: The secret of the caller's session; nil for a caller with the token itself.
    /// - Throws: ``AccountsError/unknownToken(_:)``, `StorageError`.
    public func subscribe(_ subscription: PushSubscription, for token: Token, session: String?) throws {
        let hash = session.map(Secret.hash)
        try storage.write(changing: Accounts.module) { db in
            let isKnown = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM person_token WHERE id = ?1)
                        AND (?2 IS NULL OR EXISTS (SELECT 1 FROM person_session WHERE hash = ?2))
                    """, arguments: [token.id, hash])
            guard isKnown ?? false else { throw AccountsError.unknownToken(token.id) }
            // The browser keeps its identifier, which stands for the reminders that it has received, while it belongs to
            // the same person.
            let known = try String.fetchOne(
                db,
                sql: """
                    SELECT person_push.id FROM person_push JOIN person_token ON person_token.id = person_push.token
                    WHERE person_push.endpoint = ? AND person_token.person = ?
                    """, arguments: [subscription.endpoint, token.person.id])
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO person_push
                        (id, token, session, endpoint, publicKey, authenticationSecret, createdAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    known ?? Storage.newIdentifier(), token.id, hash, subscription.endpoint, subscription.publicKey,
                    subscription.authenticationSecret, clock().timeIntervalSince1970,
                ])
            try db.execute(
                sql: """
                    DELETE FROM person_push WHERE token = ?1 AND id NOT IN (
                        SELECT id FROM person_push WHERE token = ?1 ORDER BY createdAt DESC, id LIMIT ?2)
                    """, arguments: [token.id, Accounts.maximumReceivers])
        }
    }

    /// Sends no more reminders to a browser. An unknown one is ignored.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of its subscription.
    ///   - person: The identifier of the required owner; nil for any owner.
    /// - Throws: `StorageError`.
    public func unsubscribe(_ endpoint: String, of person: String? = nil) throws {
        try storage.write(changing: Accounts.module) { db in
            try db.execute(
                sql: """
                    DELETE FROM person_push WHERE endpoint = ?1
                        AND (?2 IS NULL OR token IN (SELECT id FROM person_token WHERE person = ?2))
                    """, arguments: [endpoint, person])
        }
    }

    /// Returns the browsers that are sent reminders, by person.
    ///
    /// - Throws: `StorageError`.
    public func pushReceivers() throws -> [String: [PushReceiver]] {
        let now = clock()
        let rows = try storage.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT person_token.*, person_token.expiresAt AS tokenExpiresAt, person.name AS personName,
                        person.createdAt AS personCreatedAt, person_push.id AS receiver, person_push.endpoint,
                        person_push.publicKey, person_push.authenticationSecret
                    FROM person_push JOIN person_token ON person_token.id = person_push.token
                        JOIN person ON person.id = person_token.person
                        LEFT JOIN person_session ON person_session.hash = person_push.session
                    WHERE person_push.session IS NULL OR person_session.expiresAt > ?
                    ORDER BY person_push.id
                    """, arguments: [now.timeIntervalSince1970]
            ).compactMap { row -> PushReceiver? in
                let token = try Token(row)
                guard token.isValid(at: now), token.scopes.permits(.read, of: .reminders) else { return nil }
                let (key, secret): (Data, Data) = try (row.value("publicKey"), row.value("authenticationSecret"))
                return PushReceiver(
                    id: try row.value("receiver"), person: token.person,
                    subscription: try PushSubscription(
                        endpoint: row.value("endpoint"), publicKey: key, authenticationSecret: secret))
            }
        }
        return Dictionary(grouping: rows) { $0.person.id }
    }
}
