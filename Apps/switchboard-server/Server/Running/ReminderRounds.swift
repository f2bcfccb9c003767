import Foundation
import SwitchboardAccounts
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#endif

/// Delivers everybody's reminders by a command, also while they have no page open.
///
/// A round asks only those whose database was written since the last look, or who have something due: of the others it costs two
/// calls of `stat`, so that the databases of a thousand idle people stay closed.
struct ReminderRounds {
    /// When files of a database were last written.
    private struct Writing: Equatable {
        private var stamps: [Int] = []

        init(of database: String) {
            for file in [database, database + "-wal"] {
                var about = stat()
                guard stat(file, &about) == 0 else { continue }
                stamps += [about.st_mtim.tv_sec, about.st_mtim.tv_nsec, Int(about.st_size)]
            }
        }

        /// Whether there is no database: its person has never stored anything.
        var isNone: Bool { stamps.isEmpty }
    }

    private struct Look {
        let writing: Writing
        /// When something is to be tried next, if anything is pending.
        let next: Date?
        let time: Date
    }

    /// How many commands run at once.
    private static let width = 8
    /// A write within one tick of the file system's clock may be overlooked: so everybody is looked at this often in any case.
    private static let longestTrust: TimeInterval = 600

    let server: Server
    let command: String
    private var looks: [String: Look] = [:]

    init(server: Server, command: String) {
        self.server = server
        self.command = command
    }

    /// Delivers what is due now.
    mutating func run() async {
        guard let people = try? server.people.list() else { return }
        let known = looks
        let due = people.filter { isDue($0, known[$0.id]) }
        var fresh: [String: Look] = [:]
        await withTaskGroup(of: (String, Look?).self) { group in
            var waiting = due[...]
            for person in waiting.prefix(Self.width) { group.addTask { [self] in await (person.id, look(at: person)) } }
            waiting = waiting.dropFirst(Self.width)
            for await (id, seen) in group {
                fresh[id] = seen
                guard !Task.isCancelled, let person = waiting.popFirst() else { continue }
                group.addTask { [self] in await (person.id, look(at: person)) }
            }
        }
        let present = Set(people.map(\.id))
        looks = known.filter { present.contains($0.key) }.merging(fresh) { $1 }
    }

    private func isDue(_ person: Person, _ known: Look?) -> Bool {
        let writing = writing(of: person)
        guard !writing.isNone else { return false }
        guard let known, known.writing == writing else { return true }
        let now = Date()
        if let next = known.next, next <= now { return true }
        return abs(now.timeIntervalSince(known.time)) > Self.longestTrust
    }

    private func writing(of person: Person) -> Writing {
        Writing(of: PersonDatabases.file(of: person.id, in: server.options.data))
    }

    /// Delivers what is due for one person; nil if that could not be done.
    private func look(at person: Person) async -> Look? {
        let switchboard = server.databases.hold(person)
        defer { server.databases.release(person) }
        do {
            let runner = try switchboard.reminderRunner(delivery: .command(command))
            try await runner.runOnce(waitingForAnswers: .zero) { _ in }
            let writing = writing(of: person)
            // What is still due is not allowed: until the person allows it, which is written in their database.
            let next = try runner.reminders.nextTry().flatMap { $0 > Date() ? $0 : nil }
            return Look(writing: writing, next: next, time: Date())
        } catch {
            return nil
        }
    }
}
