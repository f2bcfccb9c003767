import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardPeopleSearch
import SwitchboardTesting
import Testing

/// An app's own front end, which the scenario for contacts tests.
private struct AppDriver: ScenarioDriver {
    let book: ContactBook

    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation {
        let input = step.action == .dialContacts ? try SearchInput(keys: step.text) : SearchInput(step.text)
        guard step.action == .importContacts else {
            return Observation(titles: try ContactSearch(book: book).search(input).hits.map(\.person.displayName))
        }
        _ = try book.importContacts(from: [.bytes(Array(SampleData.vCards.utf8), name: "sample.vcf")])
        return Observation()
    }
}

@Suite("An app") struct AppTests {
    let store: TemporaryStore
    let book: ContactBook
    let clock = FixedClock()

    init() throws {
        store = try TemporaryStore()
        book = ContactBook(storage: try store.storage([ContactBook.migrations]), region: "GB", clock: clock.read)
    }

    @Test("passes the scenario for contacts") func scenario() throws {
        let scenario = try Scenario(json: try #require(Scenario.shared["contacts"]))
        #expect(try scenario.run(with: AppDriver(book: book)) == [])
    }

    @Test("says when a contact was added") func clockOfTheApp() throws {
        clock.advance(by: 60)
        #expect(try book.add(Contact(name: PersonName(splitting: "Ana Sousa"))).createdAt == clock.now)
    }
}
