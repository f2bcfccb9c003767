import Foundation
import GRDB
import SwitchboardAccounts
import SwitchboardStorage
import Synchronization
import Testing

@Suite("People") struct PeopleTests {
    let people: Accounts
    let now = Clock()

    init() throws {
        let clock = now
        people = Accounts(storage: try .inMemory(migrations: [Accounts.migrations])) { clock.date }
    }

    @Test("A token says whose it is and what it is for; of its secret only a hash is kept")
    func token() throws {
        let issued = try people.issueToken(to: "ana", scopes: try ScopeSet(parsing: "contacts,index:read"))
        #expect(issued.secret.hasPrefix("sb_") && issued.secret.utf8.count == 46)
        let access = try #require(try people.access(token: issued.secret))
        #expect(access.person.name == "ana" && access.scopes.text == "contacts,index:read")
        let dump = try people.storage.read { db in
            try String.fetchAll(db, sql: "SELECT quote(hash) || scopes || label FROM person_token")
        }
        #expect(!dump.joined().contains(issued.secret.dropFirst(3)))
        for wrong in [
            "", "sb_", issued.secret + "x", String(issued.secret.dropLast()) + "!", String(issued.secret.dropFirst(3)),
        ] {
            #expect(try people.access(token: wrong) == nil, "\(wrong)")
        }
        try people.revoke(issued.token.id)
        #expect(try people.access(token: issued.secret) == nil)
        #expect(throws: AccountsError.unknownToken(issued.token.id)) { try people.revoke(issued.token.id) }
    }

    @Test("A person is made on first mention, and keeps the identifier")
    func person() throws {
        let ana = try people.person(named: " ana ")
        #expect(try people.person(named: "ana") == ana)
        #expect(ana.id.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) })
        #expect(try people.known("ana") == ana && people.known(ana.id) == ana)
        for name in ["", "  ", "a\u{0}b", String(repeating: "x", count: 201)] {
            #expect(throws: AccountsError.self) { try people.person(named: name) }
        }
        try people.delete(ana.id)
        #expect(throws: AccountsError.unknownPerson("ana")) { try people.known("ana") }
    }

    @Test("A session is not the token, ends with it, and ends when it is not used for a month")
    func session() throws {
        let issued = try people.issueToken(to: "ana", scopes: .all)
        let access = try #require(try people.access(token: issued.secret))
        let session = try people.beginSession(for: access)
        #expect(session != issued.secret)
        #expect(try people.access(session: session)?.person.name == "ana")
        now.advance(29 * 86_400)
        #expect(try people.access(session: session) != nil)
        // It was used, so it lives on.
        now.advance(29 * 86_400)
        #expect(try people.access(session: session) != nil)
        now.advance(31 * 86_400)
        #expect(try people.access(session: session) == nil)
        let other = try people.beginSession(for: access)
        try people.endSession(other)
        #expect(try people.access(session: other) == nil)
        let third = try people.beginSession(for: access)
        try people.revoke(issued.token.id)
        #expect(try people.access(session: third) == nil)
    }

    @Test("A code signs in once, within ten minutes, and its device can be ended")
    func code() throws {
        let code = try people.issueCode(to: "ana", scopes: .all)
        let session = try #require(try people.redeem(code: code))
        #expect(try people.redeem(code: code) == nil)
        let device = try #require(try people.access(session: session)).token
        #expect(device.label == "paired")
        let late = try people.issueCode(to: "ana", scopes: .all)
        now.advance(601)
        #expect(try people.redeem(code: late) == nil)
        try people.revoke(device.id)
        #expect(try people.access(session: session) == nil)
    }

    @Test("The address of a calendar can be shown again, and renewed")
    func calendar() throws {
        let ana = try people.person(named: "ana")
        let secret = try people.calendarSecret(of: ana.id)
        #expect(try people.calendarSecret(of: ana.id) == secret)
        #expect(try people.person(calendarSecret: secret) == ana)
        let renewed = try people.renewCalendarSecret(of: ana.id)
        #expect(renewed != secret)
        #expect(try people.person(calendarSecret: secret) == nil)
        #expect(try people.person(calendarSecret: renewed) == ana)
    }

    @Test("A vote is the same for the same two, and another for others")
    func vote() throws {
        let key = try people.voteKey()
        let vote = Accounts.vote(of: "a", for: "x", key: key)
        #expect(vote.count == 32)
        #expect(Accounts.vote(of: "a", for: "x", key: try people.voteKey()) == vote)
        #expect(Accounts.vote(of: "b", for: "x", key: key) != vote)
    }

    @Test(
        "A scope permits what it says and nothing else",
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

    @Test("An unknown scope is refused", arguments: ["", "x", "contacts,", "contacts:all", "Contacts"])
    func unknownScope(text: String) {
        #expect(throws: AccountsError.self) { try ScopeSet(parsing: text) }
    }
}

/// A clock that a test moves on.
final class Clock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var date: Date { time.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
