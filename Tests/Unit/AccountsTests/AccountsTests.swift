import Foundation
import GRDB
import SwitchboardAccounts
import SwitchboardStorage
import Synchronization
import Testing

@Suite("Accounts") struct AccountsTests {
    let accounts: Accounts
    let now = Clock()

    init() throws {
        let clock = now
        accounts = Accounts(storage: try .inMemory(migrations: [Accounts.migrations])) { clock.date }
    }

    @Test("A token identifies its owner and scopes, and only a hash of its secret is stored")
    func token() throws {
        let issued = try accounts.issueToken(to: "ana", scopes: try ScopeSet(parsing: "contacts,index:read"))
        #expect(issued.secret.hasPrefix("sb_") && issued.secret.utf8.count == 46)
        let access = try #require(try accounts.access(token: issued.secret))
        #expect(access.person.name == "ana" && access.scopes.text == "contacts,index:read")
        let dump = try accounts.storage.read { db in
            try String.fetchAll(db, sql: "SELECT quote(hash) || scopes || label FROM person_token")
        }
        #expect(!dump.joined().contains(issued.secret.dropFirst(3)))
        for wrong in [
            "", "sb_", issued.secret + "x", String(issued.secret.dropLast()) + "!", String(issued.secret.dropFirst(3)),
        ] {
            #expect(try accounts.access(token: wrong) == nil, "\(wrong)")
        }
        try accounts.revoke(issued.token.id)
        #expect(try accounts.access(token: issued.secret) == nil)
        #expect(throws: AccountsError.unknownToken(issued.token.id)) { try accounts.revoke(issued.token.id) }
    }

    @Test("A person is created if missing and keeps the identifier")
    func person() throws {
        let ana = try accounts.person(named: " ana ")
        #expect(try accounts.person(named: "ana") == ana)
        #expect(ana.id.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) })
        #expect(try accounts.person(matching: "ana") == ana && accounts.person(matching: ana.id) == ana)
        for name in ["", "  ", "a\u{0}b", String(repeating: "x", count: 201)] {
            #expect(throws: AccountsError.self) { try accounts.person(named: name) }
        }
        try accounts.delete(ana.id)
        #expect(throws: AccountsError.unknownPerson("ana")) { try accounts.person(matching: "ana") }
    }

    @Test("A session has its own secret and ends with its token or after a month without use")
    func session() throws {
        let issued = try accounts.issueToken(to: "ana", scopes: .all)
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

    @Test("A pairing code works once within ten minutes, and its device can be revoked")
    func code() throws {
        let code = try accounts.issueCode(to: "ana", scopes: .all)
        let session = try #require(try accounts.redeem(code: code))
        #expect(try accounts.redeem(code: code) == nil)
        let device = try #require(try accounts.access(session: session))
        #expect(device.label == "paired")
        let late = try accounts.issueCode(to: "ana", scopes: .all)
        now.advance(601)
        #expect(try accounts.redeem(code: late) == nil)
        try accounts.revoke(device.id)
        #expect(try accounts.access(session: session) == nil)
    }

    @Test("A calendar secret is stable until it is renewed")
    func calendar() throws {
        let ana = try accounts.person(named: "ana")
        let secret = try accounts.calendarSecret(of: ana.id)
        #expect(try accounts.calendarSecret(of: ana.id) == secret)
        #expect(try accounts.person(calendarSecret: secret) == ana)
        let renewed = try accounts.renewCalendarSecret(of: ana.id)
        #expect(renewed != secret)
        #expect(try accounts.person(calendarSecret: secret) == nil)
        #expect(try accounts.person(calendarSecret: renewed) == ana)
    }

    @Test("A vote depends only on the person, the target and the key")
    func vote() throws {
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
