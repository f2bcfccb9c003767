import Foundation
import SwitchboardStorage
import SwitchboardTestFixtures
import Testing

@testable import SwitchboardCluster

// In the suite of journals, whose server they use.
extension PostgresJournalTests {
    private func append(_ text: String, to name: String) throws {
        let journal = PostgresJournal(name, in: pool)
        let entry = JournalEntry(extending: try journal.head().position, with: .changes(Data(text.utf8)))
        #expect(try journal.append(entry) == .appended)
    }

    @Test("The heads of many journals come from one query, whatever their names contain")
    func sequences() throws {
        let names = ["plain", "a \"quoted\" one", #"back\slash"#, "a,b{c}", "NULL", "é"].map { "\($0) \(name)" }
        for (number, name) in names.enumerated() {
            for _ in 0...number { try append("x", to: name) }
        }
        let journals = PostgresJournals(pool)
        let found = try journals.sequences(of: names + ["missing \(name)"])
        #expect(found == Dictionary(uniqueKeysWithValues: zip(names, 1...Int64(names.count))))
        #expect(try journals.sequences(of: []).isEmpty)
        let listed = try journals.list().filter { names.contains($0.name) }
        #expect(Set(listed.map(\.name)) == Set(names))
        #expect(listed.allSatisfy { $0.bytes == $0.sequence && $0.entriesSinceBase == $0.sequence })
        try journals.remove(names[0])
        #expect(try journals.sequences(of: [names[0]]).isEmpty)
    }

    @Test("A changed journal is due, and claimed by one server until it changes again or its time comes")
    func due() throws {
        let journals = PostgresJournals(pool)
        func claim() throws -> PostgresJournals.Due? { try journals.claimDue(among: [name], limit: 10).first }
        try append("first", to: name)
        let first = try #require(try claim())
        #expect(first.name == name)
        #expect(try claim()?.name == nil)
        try journals.finish(first, next: nil)
        #expect(try claim()?.name == nil)

        try append("second", to: name)
        let second = try #require(try claim())
        // A change during the claim is not lost.
        try append("third", to: name)
        try journals.finish(second, next: nil)
        let third = try #require(try claim())
        try journals.finish(third, next: Date(timeIntervalSinceNow: 600))
        #expect(try claim()?.name == nil)
        try journals.wake(name)
        let fourth = try #require(try claim())
        try journals.finish(fourth, next: Date(timeIntervalSinceNow: -1))
        #expect(try claim()?.name == name)
    }

    @Test("The clock of PostgreSQL on this machine is that of the machine")
    func clock() throws {
        #expect(abs(try PostgresJournals(pool).clockOffset()) < 5)
    }
}
