import Foundation
import SwitchboardStorage

/// A browser that receives a person's reminders through its push service.
public struct PushReceiver: Hashable, Sendable {
    /// The identifier, kept when the same person subscribes the browser again.
    public let id: String
    /// The person whose reminders the browser receives.
    public let person: Person
    /// The subscription of the browser.
    public let subscription: PushSubscription
}

// MARK: - Web Push

extension Accounts {
    /// The maximum number of browsers per person that receive reminders. A further one replaces the browser that
    /// subscribed or renewed its subscription least recently.
    public static let maximumReceivers = 20

    /// Returns the key that identifies this server to push services, created if missing.
    ///
    /// - Throws: `StorageError`.
    public func pushKey() throws -> PushServerKey {
        try PushServerKey(bytes: try key("push") { PushServerKey().bytes })
    }

    /// Subscribes a browser to reminders until its token or session ends.
    ///
    /// Replaces an earlier subscription of the same browser, even one of another person.
    ///
    /// - Parameters:
    ///   - subscription: The subscription of the browser.
    ///   - token: The token of the caller.
    ///   - session: The secret of the caller's session; nil for a caller with the token itself.
    /// - Throws: ``AccountsError/unknownToken(_:)``, `StorageError`.
    public func subscribe(_ subscription: PushSubscription, for token: Token, session: String?) throws {
        let hash = session.map(Secret.hash)
        try write { db in
            let isKnown = try db.row(
                """
                SELECT EXISTS (SELECT 1 FROM person_token WHERE id = ?1)
                    AND (EXISTS (SELECT 1 FROM person_session WHERE hash = ?2) OR ?2 IS NULL)
                """, [token.id, hash])
            guard try isKnown?.flag(0) ?? false else { throw AccountsError.unknownToken(token.id) }
            // The browser keeps its identifier, under which deliveries are recorded, as long as it belongs to the same
            // person.
            let known = try db.row(
                """
                SELECT person_push.id FROM person_push JOIN person_token ON person_token.id = person_push.token
                WHERE person_push.endpoint = ?1 AND person_token.person = ?2
                """, [subscription.endpoint, token.person.id])
            try db.execute("DELETE FROM person_push WHERE endpoint = ?1", [subscription.endpoint])
            try db.execute(
                """
                INSERT INTO person_push (id, token, session, endpoint, publicKey, authenticationSecret, createdAt)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """,
                [
                    known?.text(0) ?? Storage.newIdentifier(), token.id, hash, subscription.endpoint,
                    subscription.publicKey,
                    subscription.authenticationSecret, clock().timeIntervalSince1970,
                ])
            try db.execute(
                """
                DELETE FROM person_push WHERE token IN (SELECT id FROM person_token WHERE person = ?1) AND id NOT IN (
                    SELECT person_push.id FROM person_push JOIN person_token ON person_token.id = person_push.token
                    WHERE person_token.person = ?1 ORDER BY person_push.createdAt DESC, person_push.id LIMIT ?2)
                """, [token.person.id, Accounts.maximumReceivers])
        }
    }

    /// Stops sending reminders to a browser. An unknown endpoint is ignored.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of its subscription.
    ///   - person: The identifier of the required owner; nil for any owner.
    /// - Throws: `StorageError`.
    public func unsubscribe(_ endpoint: String, of person: String? = nil) throws {
        _ = try write { db in
            try db.execute(
                """
                DELETE FROM person_push WHERE endpoint = ?1
                    AND (token IN (SELECT id FROM person_token WHERE person = ?2) OR ?2 IS NULL)
                """, [endpoint, person])
        }
    }

    /// Returns the browsers that receive reminders, by the identifier of their person.
    ///
    /// - Throws: `StorageError`.
    public func pushReceivers() throws -> [String: [PushReceiver]] {
        let now = clock()
        let columns =
            ", person_push.id, person_push.endpoint, person_push.publicKey, person_push.authenticationSecret"
        let rows = try database.reading { db in
            try db.rows(
                Token.selection(columns) + """
                     JOIN person_push ON person_push.token = person_token.id
                    LEFT JOIN person_session ON person_session.hash = person_push.session
                    WHERE person_push.session IS NULL OR person_session.expiresAt > ?1
                    ORDER BY person_push.id
                    """, [now.timeIntervalSince1970]
            ).compactMap { row -> PushReceiver? in
                let token = try Token(row)
                guard token.isValid(at: now), token.scopes.permits(.read, of: .reminders) else { return nil }
                let first = Token.columnCount
                return PushReceiver(
                    id: try row.text(first), person: token.person,
                    subscription: try PushSubscription(
                        endpoint: row.text(first + 1), publicKey: row.data(first + 2),
                        authenticationSecret: row.data(first + 3)))
            }
        }
        return Dictionary(grouping: rows) { $0.person.id }
    }
}
