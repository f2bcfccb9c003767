import Crypto
import Foundation
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardStorage
import SwitchboardTestFixtures
import Synchronization
import Testing

/// A database of accounts.
enum Backend: CaseIterable, CustomTestStringConvertible {
    case sqlite
    case postgres

    /// SQLite, and PostgreSQL if it is installed.
    static var available: [Backend] { LocalPostgres.programs == nil ? [.sqlite] : allCases }

    var testDescription: String { self == .sqlite ? "SQLite" : "PostgreSQL" }

    func makeDatabase() throws -> any SQLDatabase {
        switch self {
        case .sqlite: return try Storage.inMemory(migrations: [Accounts.migrations])
        case .postgres:
            let server = try LocalPostgres.shared.get()
            let pool = server.pool(database: try server.makeDatabase())
            try ClusterSchema.migrate(pool, Accounts.clusterMigrations)
            return PostgresDatabase(pool)
        }
    }
}

@Suite("Accounts") struct AccountsTests {
    let now = Clock()

    private func accounts(in backend: Backend) throws -> Accounts {
        Accounts(database: try backend.makeDatabase()) { [now] in now.date }
    }

    @Test(
        "A token identifies its owner and scopes, and only a hash of its secret is stored", arguments: Backend.available
    )
    func token(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let issued = try accounts.issueToken(
            to: "ana", scopes: try ScopeSet(parsing: "contacts,index:read"), creatingPerson: true)
        #expect(issued.secret.hasPrefix("sb_") && issued.secret.utf8.count == 46)
        let access = try #require(try accounts.access(token: issued.secret))
        #expect(access.person.name == "ana" && access.scopes.text == "contacts,index:read")
        let stored = try accounts.database.reading { db in
            let row = try #require(try db.row("SELECT hash, scopes, label FROM person_token", []))
            return try row.data(0).base64EncodedString() + row.text(1) + row.text(2)
        }
        #expect(!stored.contains(issued.secret.dropFirst(3)))
        for wrong in [
            "", "sb_", issued.secret + "x", String(issued.secret.dropLast()) + "!", String(issued.secret.dropFirst(3)),
        ] {
            #expect(try accounts.access(token: wrong) == nil, "\(wrong)")
        }
        try accounts.revoke(issued.token.id)
        #expect(try accounts.access(token: issued.secret) == nil)
        #expect(throws: AccountsError.unknownToken(issued.token.id)) { try accounts.revoke(issued.token.id) }
    }

    @Test("A read of the database cannot delete a person", arguments: Backend.available)
    func reading(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let ana = try accounts.person(named: "ana", creating: true)
        #expect(throws: StorageError.writeInRead) {
            try accounts.database.reading { db in try db.execute("DELETE FROM person", []) }
        }
        #expect(try accounts.list().map(\.id) == [ana.id])
    }

    @Test("A person is created if missing and keeps the identifier", arguments: Backend.available)
    func person(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let ana = try accounts.person(named: " ana ", creating: true)
        #expect(try accounts.person(named: "ANA", creating: false) == ana)
        #expect(ana.id.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) })
        #expect(try accounts.person(matching: "ana") == ana && accounts.person(matching: ana.id) == ana)
        for name in ["", "  ", "a\u{0}b", String(repeating: "x", count: 201)] {
            #expect(throws: AccountsError.self) { try accounts.person(named: name, creating: true) }
        }
        try accounts.delete(ana.id)
        #expect(throws: AccountsError.unknownPerson("ana")) { try accounts.person(matching: "ana") }
    }

    @Test(
        "A session has its own secret and ends with its token or after a month without use",
        arguments: Backend.available)
    func session(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let issued = try accounts.issueToken(to: "ana", scopes: .all, creatingPerson: true)
        let access = try #require(try accounts.access(token: issued.secret))
        let session = try accounts.beginSession(for: access)
        #expect(session != issued.secret)
        #expect(try accounts.access(session: session)?.person.name == "ana")
        now.advance(29 * 86_400)
        #expect(try accounts.access(session: session) != nil)
        // The previous use has extended the session.
        now.advance(29 * 86_400)
        #expect(try accounts.access(session: session) != nil)
        now.advance(31 * 86_400)
        #expect(try accounts.access(session: session) == nil)
        let other = try accounts.beginSession(for: access)
        try accounts.endSession(other)
        #expect(try accounts.access(session: other) == nil)
        let third = try accounts.beginSession(for: access)
        try accounts.revoke(issued.token.id)
        #expect(try accounts.access(session: third) == nil)
    }

    @Test("A pairing code works once within ten minutes, and its device can be revoked", arguments: Backend.available)
    func code(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let code = try accounts.issueCode(to: "ana", scopes: .all, creatingPerson: true)
        let session = try #require(try accounts.redeem(code: code))
        #expect(try accounts.redeem(code: code) == nil)
        let device = try #require(try accounts.access(session: session))
        #expect(device.label == "paired" && device.usedAt == now.date)
        let late = try accounts.issueCode(to: "ana", scopes: .all, creatingPerson: true)
        now.advance(601)
        #expect(try accounts.redeem(code: late) == nil)
        try accounts.revoke(device.id)
        #expect(try accounts.access(session: session) == nil)
    }

    @Test("An invitation is a pairing code with a longer lifetime", arguments: Backend.available)
    func invitation(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let week = 7.0 * 86_400
        let first = try accounts.issueCode(to: "bo", scopes: .all, lifetime: week, creatingPerson: true)
        let second = try accounts.issueCode(to: "bo", scopes: .all, lifetime: week, creatingPerson: false)
        now.advance(week - 1)
        #expect(try accounts.redeem(code: first) != nil)
        now.advance(2)
        #expect(try accounts.redeem(code: second) == nil)
    }

    @Test("A calendar secret is stable until it is renewed, and ends with its token", arguments: Backend.available)
    func calendar(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let first = try accounts.issueToken(to: "ana", scopes: .all, creatingPerson: true).token
        let other = try accounts.issueToken(to: "ana", scopes: .all, lifetime: 60, creatingPerson: false).token
        let secret = try accounts.calendarSecret(of: first.id)
        #expect(try accounts.calendarSecret(of: first.id) == secret)
        #expect(try accounts.person(calendarSecret: secret) == first.person)
        let renewed = try accounts.renewCalendarSecret(of: first.id)
        let expiring = try accounts.calendarSecret(of: other.id)
        #expect(Set([secret, renewed, expiring]).count == 3)
        #expect(try accounts.person(calendarSecret: secret) == nil)
        #expect(try accounts.person(calendarSecret: renewed) == first.person)
        try accounts.revoke(first.id)
        #expect(try accounts.person(calendarSecret: renewed) == nil)
        #expect(try accounts.person(calendarSecret: expiring) == first.person)
        now.advance(61)
        #expect(try accounts.person(calendarSecret: expiring) == nil)
    }

    @Test(
        "A browser gets reminders until its session or token ends, and keeps its identifier when it renews",
        arguments: Backend.available)
    func push(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let issued = try accounts.issueToken(to: "ana", scopes: .all, creatingPerson: true)
        let session = try accounts.beginSession(for: issued.token)
        let (first, second) = (try subscription("first"), try subscription("second"))
        try accounts.subscribe(first, for: issued.token, session: session)
        try accounts.subscribe(second, for: issued.token, session: nil)
        func receivers(of person: Person) throws -> [PushReceiver] { try accounts.pushReceivers()[person.id] ?? [] }
        let ana = issued.token.person
        #expect(Set(try receivers(of: ana).map(\.subscription)) == [first, second])

        let renewed = try subscription("first")
        let old = try #require(try receivers(of: ana).first { $0.subscription == first })
        try accounts.subscribe(renewed, for: issued.token, session: session)
        let new = try #require(try receivers(of: ana).first { $0.subscription == renewed })
        #expect(renewed != first && new.id == old.id)

        try accounts.endSession(session)
        #expect(try receivers(of: ana).map(\.subscription) == [second])
        #expect(throws: AccountsError.unknownToken(issued.token.id)) {
            try accounts.subscribe(first, for: issued.token, session: session)
        }
        let lapsing = try accounts.beginSession(for: issued.token)
        try accounts.subscribe(first, for: issued.token, session: lapsing)
        #expect(try receivers(of: ana).count == 2)
        now.advance(31 * 86_400)
        #expect(try receivers(of: ana).map(\.subscription) == [second])
        try accounts.revoke(issued.token.id)
        #expect(try accounts.pushReceivers().isEmpty)
    }

    @Test(
        "A browser belongs to one person, and a token that may not see reminders has none", arguments: Backend.available
    )
    func pushOwner(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let ana = try accounts.issueToken(to: "ana", scopes: .all, creatingPerson: true).token
        let ben = try accounts.issueToken(to: "ben", scopes: .all, creatingPerson: true).token
        let narrow = try accounts.issueToken(
            to: "ben", scopes: try ScopeSet(parsing: "contacts"), creatingPerson: false
        ).token
        let browser = try subscription("shared")
        try accounts.subscribe(browser, for: ana, session: nil)
        let first = try #require(try accounts.pushReceivers()[ana.person.id]?.first)
        try accounts.subscribe(browser, for: ben, session: nil)
        let receivers = try accounts.pushReceivers()
        #expect(receivers.keys.elementsEqual([ben.person.id]))
        // The identifier stands for the reminders that ana's browser has received.
        #expect(receivers[ben.person.id]?.first?.id != first.id)

        try accounts.unsubscribe(browser.endpoint, of: ana.person.id)
        #expect(try accounts.pushReceivers()[ben.person.id]?.count == 1)
        try accounts.unsubscribe(browser.endpoint, of: ben.person.id)
        try accounts.subscribe(browser, for: narrow, session: nil)
        #expect(try accounts.pushReceivers().isEmpty)
    }

    @Test(
        "A person has a limited number of browsers with all tokens, and the one that was not renewed for longest goes",
        arguments: Backend.available)
    func pushLimit(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let tokens = try (0..<3).map { _ in
            try accounts.issueToken(to: "ana", scopes: .all, creatingPerson: true).token
        }
        let other = try accounts.issueToken(to: "ben", scopes: .all, creatingPerson: true).token
        try accounts.subscribe(try subscription("ben"), for: other, session: nil)
        for number in 0...Accounts.maximumReceivers {
            // The first one is renewed, so the second one is the oldest.
            if number == Accounts.maximumReceivers {
                try accounts.subscribe(try subscription("0"), for: tokens[0], session: nil)
                now.advance(1)
            }
            try accounts.subscribe(try subscription(String(number)), for: tokens[number % 3], session: nil)
            now.advance(1)
        }
        let receivers = try accounts.pushReceivers()
        let endpoints = Set(receivers[tokens[0].person.id]?.map(\.subscription.endpoint) ?? [])
        #expect(endpoints.count == Accounts.maximumReceivers)
        #expect(endpoints.contains("https://push.example.org/0") && !endpoints.contains("https://push.example.org/1"))
        #expect(receivers[other.person.id]?.count == 1)
    }

    private func subscription(_ name: String) throws -> PushSubscription {
        try PushSubscription(
            endpoint: "https://push.example.org/\(name)",
            publicKey: P256.KeyAgreement.PrivateKey().publicKey.x963Representation,
            authenticationSecret: Data(repeating: 7, count: 16))
    }

    @Test("A token with a lifetime expires, and its sessions with it", arguments: Backend.available)
    func expiry(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let issued = try accounts.issueToken(to: "ana", scopes: .all, lifetime: 3_600, creatingPerson: true)
        let session = try accounts.beginSession(for: issued.token)
        #expect(try accounts.access(token: issued.secret) == issued.token)
        #expect(try accounts.access(session: session) != nil)
        now.advance(3_601)
        #expect(try accounts.access(token: issued.secret) == nil)
        #expect(try accounts.access(session: session) == nil)
    }

    @Test(
        "An unknown person is an error unless they are to be created, and names ignore case",
        arguments: Backend.available)
    func unknownPerson(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        #expect(throws: AccountsError.unknownPerson("aan")) {
            try accounts.issueToken(to: "aan", scopes: .all, creatingPerson: false)
        }
        #expect(throws: AccountsError.unknownPerson("aan")) {
            try accounts.issueCode(to: "aan", scopes: .all, creatingPerson: false)
        }
        #expect(try accounts.list().isEmpty)
        let ana = try accounts.person(named: "Ánna", creating: true)
        #expect(try accounts.person(named: "ÁNNA", creating: true) == ana)
        #expect(try accounts.person(matching: "ánna") == ana)
        let bo = try accounts.person(named: "bo", creating: true)
        #expect(throws: AccountsError.nameInUse("Bo")) { try accounts.rename(ana.id, to: "Bo") }
        try accounts.rename(bo.id, to: "BO")
        try accounts.rename(ana.id, to: "Anna")
        #expect(try accounts.list().map(\.name) == ["Anna", "BO"])
    }

    @Test(
        "Of many attempts to redeem a pairing code in PostgreSQL, one succeeds",
        .enabled(if: LocalPostgres.programs != nil, Comment(rawValue: LocalPostgres.missing)))
    func concurrentRedeeming() async throws {
        let accounts = try accounts(in: .postgres)
        let code = try accounts.issueCode(to: "ana", scopes: .all, creatingPerson: true)
        let sessions = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<3 { group.addTask { try accounts.redeem(code: code) } }
            return try await group.reduce(into: []) { sessions, session in session.map { sessions.append($0) } }
        }
        #expect(sessions.count == 1)
        #expect(try accounts.access(session: sessions[0])?.person.name == "ana")
    }

    @Test("A vote depends only on the person, the target and the key", arguments: Backend.available)
    func vote(backend: Backend) throws {
        let accounts = try accounts(in: backend)
        let key = try accounts.voteKey()
        let vote = Accounts.vote(of: "a", for: "x", key: key)
        #expect(vote.count == 32)
        #expect(Accounts.vote(of: "a", for: "x", key: try accounts.voteKey()) == vote)
        #expect(Accounts.vote(of: "b", for: "x", key: key) != vote)
    }

    @Test(
        "A scope permits only its own domain and use",
        arguments: [
            ("all", ScopeSet.Use.write, ScopeSet.Domain.me, true), ("read", .read, .contacts, true),
            ("read", .write, .contacts, false), ("contacts", .write, .contacts, true),
            ("contacts:read", .write, .contacts, false), ("contacts:write", .read, .contacts, false),
            ("contacts:write", .write, .contacts, true), ("contacts", .read, .prospects, false),
            ("metrics", .read, .me, false), ("index:read,me", .read, .index, true),
        ])
    func scopes(text: String, use: ScopeSet.Use, domain: ScopeSet.Domain, isPermitted: Bool) throws {
        #expect(try ScopeSet(parsing: text).permits(use, of: domain) == isPermitted)
    }

    @Test("An unknown scope is rejected", arguments: ["", "x", "contacts,", "contacts:all", "Contacts"])
    func unknownScope(text: String) {
        #expect(throws: AccountsError.self) { try ScopeSet(parsing: text) }
    }
}

/// A clock that tests advance.
final class Clock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var date: Date { time.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
