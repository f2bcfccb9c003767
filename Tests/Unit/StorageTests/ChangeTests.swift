import GRDB
import SwitchboardStorage
import Testing

@Suite("Generations, changes, access grants", .timeLimit(.minutes(1)))
struct ChangeTests {
    let scratch = Scratch()

    @Test("A generation advances with each change, and only then")
    func generations() throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        let first = try storage.generation(of: "Notes")
        #expect(try storage.generation(of: "Nothing") == 0)
        try storage.write(changing: "Notes") { _ in }
        #expect(try storage.generation(of: "Notes") == first)
        try storage.add("x")
        let second = try storage.generation(of: "Notes")
        #expect(second > first)
        #expect(code { try storage.add("x") } == "constraint")
        #expect(try storage.generation(of: "Notes") == second)
        let other = try Storage(at: scratch.database, migrations: [notes])
        #expect(try other.generation(of: "Notes") == second)
    }

    @Test("Two diverging copies of a file never share a generation")
    func forked() throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.backup(to: scratch.path + "/copy.sqlite")
        let copy = try Storage(at: scratch.path + "/copy.sqlite", migrations: [notes])
        #expect(try copy.generation(of: "Notes") == storage.generation(of: "Notes"))
        try storage.add("here")
        try copy.add("there")
        #expect(try copy.generation(of: "Notes") != storage.generation(of: "Notes"))
    }

    @Test("Changes by this process and by another one are reported")
    func changes() async throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("before")
        var changes = storage.changes(pollingEvery: .milliseconds(5)).makeAsyncIterator()
        try storage.add("own")
        let own = try storage.generation(of: "Notes")
        #expect(await changes.next() == Change(module: "Notes", generation: own))
        await #expect(processExitsWith: .success) { [database = scratch.database as String] in
            try Storage(at: database, migrations: [notes]).add("theirs")
        }
        let theirs = try storage.generation(of: "Notes")
        #expect(await changes.next() == Change(module: "Notes", generation: theirs))
        try storage.setStatus(.authorized, of: .location)
        #expect(await changes.next()?.module == "Storage")
    }

    @Test("The stream of changes ends when the storage is released or closed")
    func end() async throws {
        var storage: Storage? = try Storage(at: scratch.database, migrations: [notes])
        let gone = storage?.changes(pollingEvery: .milliseconds(5))
        storage = nil
        if let gone { for await _ in gone {} }
        let closed = try Storage(at: scratch.database, migrations: [notes])
        let changes = closed.changes(pollingEvery: .milliseconds(5))
        closed.close()
        for await _ in changes {}
        #expect(code { try closed.texts() } == "closed")
        #expect(code { try closed.add("late") } == "closed")
    }

    @Test("A closed storage leaves no log and throws afterwards")
    func closedLeavesNoLog() throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("kept")
        storage.close()
        #expect(code { try storage.texts() } == "closed")
        #expect(scratch.names == ["people.sqlite"])
        storage.close()
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts() == ["kept"])
    }

    @Test("Access is denied until granted; a grant is stored and can be revoked")
    func access() throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        for subject in AccessSubject.allCases {
            #expect(try storage.status(of: subject) == .notDetermined)
            #expect(code { try storage.requireAccess(subject) } == "accessNotGranted")
        }
        try storage.setStatus(.authorized, of: .location)
        try storage.setStatus(.denied, of: .contacts)
        let other = try Storage(at: scratch.database, migrations: [notes])
        #expect(try other.status(of: .location) == .authorized)
        #expect(try other.status(of: .contacts) == .denied)
        try other.requireAccess(.location)
        let error = #expect(throws: StorageError.self) {
            try other.requireAccess(.contacts, purpose: "To follow your folder of vCards.")
        }
        #expect(error == .accessNotGranted(.contacts, status: .denied, purpose: "To follow your folder of vCards."))
        #expect(error?.category == .access)
        var options = StorageOptions()
        options.app = AppIdentity(name: "Trips", purposes: [.contacts: "Trips shows who lives near an airport."])
        let trips = try Storage(at: scratch.database, migrations: [notes], options: options)
        let own = #expect(throws: StorageError.self) { try trips.requireAccess(.contacts) }
        #expect(own?.details.message.contains("Trips shows who lives near an airport.") == true)
        try other.setStatus(.notDetermined, of: .location)
        #expect(try storage.status(of: .location) == .notDetermined)
    }
}
