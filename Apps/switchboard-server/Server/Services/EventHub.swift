import Foundation
import SwitchboardAccounts
import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage
import Synchronization

/// Sends changes and due reminders to event streams.
///
/// While a person has an event stream open, the hub watches their database, including writes of other processes, and
/// delivers their reminders to the stream. Reminders that fall due without a stream wait and are delivered late.
final class EventHub: Sendable {
    enum Event: Sendable {
        /// Data has changed; the values are the names of the affected domains.
        case changed([String])
        /// A reminder is due.
        case reminder(Reminder)
        /// Nothing has happened; writing it detects lost connections.
        case keepAlive
    }

    private struct Listeners {
        var streams: [UUID: AsyncStream<Event>.Continuation] = [:]
        var tasks: [Task<Void, Never>] = []
    }

    /// The event names of the storage modules.
    private static let names: [String: [String]] = [
        "ContactBook": ["contacts"], "Prospects": ["prospects"], "SearchableIndex": ["items", "activities"],
        "Reminders": ["reminders"], "Airports": ["airports"], "Storage": ["access"],
    ]

    private let databases: PersonDatabases
    private let listeners = Mutex<[String: Listeners]>([:])

    init(databases: PersonDatabases) {
        self.databases = databases
    }

    var streamCount: Int { listeners.withLock { $0.values.reduce(0) { $0 + $1.streams.count } } }

    /// Returns the events of a person from now on.
    func events(of person: Person) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = UUID()
            listeners.withLock { listeners in
                listeners[person.id, default: Listeners()].streams[id] = continuation
                if listeners[person.id]?.tasks.isEmpty ?? false {
                    listeners[person.id]?.tasks = [
                        Task { await self.watch(person) }, Task { await self.remind(person) },
                    ]
                }
            }
            continuation.onTermination = { _ in self.unsubscribe(person.id, id) }
        }
    }

    /// Ends all streams, on shutdown.
    func end() {
        let all = listeners.withLock { listeners in
            defer { listeners = [:] }
            return Array(listeners.values)
        }
        for one in all {
            for task in one.tasks { task.cancel() }
            for stream in one.streams.values { stream.finish() }
        }
    }

    func keepAlive() {
        for one in listeners.withLock({ Array($0.values) }) {
            for stream in one.streams.values { stream.yield(.keepAlive) }
        }
    }

    private func unsubscribe(_ person: String, _ id: UUID) {
        let tasks = listeners.withLock { listeners -> [Task<Void, Never>] in
            listeners[person]?.streams[id] = nil
            guard listeners[person]?.streams.isEmpty ?? false else { return [] }
            defer { listeners[person] = nil }
            return listeners[person]?.tasks ?? []
        }
        for task in tasks { task.cancel() }
    }

    private func send(_ event: Event, to person: String) -> Bool {
        let streams = listeners.withLock { $0[person].map { Array($0.streams.values) } ?? [] }
        for stream in streams { stream.yield(event) }
        return !streams.isEmpty
    }

    // MARK: - Tasks of open streams

    private func watch(_ person: Person) async {
        let switchboard = databases.hold(person)
        defer { databases.release(person) }
        guard let storage = try? switchboard.storage else { return }
        for await change in storage.changes() {
            if let names = Self.names[change.module] { _ = send(.changed(names), to: person.id) }
        }
    }

    private func remind(_ person: Person) async {
        let switchboard = databases.hold(person)
        defer { databases.release(person) }
        let delivery = ReminderDelivery("page") { reminder, _ in
            guard self.send(.reminder(reminder), to: person.id) else {
                throw DeliveryError.failed("no page is open")
            }
            return nil
        }
        while !Task.isCancelled {
            guard let runner = try? switchboard.reminderRunner(delivery: delivery) else { return }
            try? await runner.run { _ in }
            // The database could not be read; retry later.
            try? await Task.sleep(for: .seconds(5))
        }
    }
}
