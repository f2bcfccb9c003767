import Foundation
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage
import Synchronization

/// Sends changes and due reminders to event streams.
///
/// While a person has an event stream open, the hub watches their database, including writes by other processes. While
/// any of the streams may see reminders, the hub is a channel that delivers them. Other channels, such as the server's
/// command, deliver them independently. A stream ends when its token or session does.
final class EventHub: Sendable {
    enum Event: Sendable {
        /// The stream or the watch of the database has begun; earlier changes must be looked up.
        case started
        /// Data of a module has changed.
        case changed(Change)
        /// A reminder is due.
        case reminder(Reminder)
        /// Nothing has happened; writing it detects lost connections.
        case keepAlive
    }

    private struct Stream {
        let continuation: AsyncStream<Event>.Continuation
        let seesReminders: Bool
        /// Returns whether the token and the session of the stream are still valid.
        let isValid: @Sendable () -> Bool
    }

    private struct Listeners {
        var streams: [UUID: Stream] = [:]
        var watch: Task<Void, Never>?
        var reminding: Task<Void, Never>?
    }

    /// The event names of the storage modules.
    static let names: [String: [String]] = [
        "ContactBook": ["contacts"], "Prospects": ["prospects"], "SearchableIndex": ["items", "activities"],
        "Reminders": ["reminders"], "Airports": ["airports"], "Storage": ["access"],
    ]

    private let databases: PersonDatabases
    private let heads: HeadWatch?
    private let listeners = Mutex<[String: Listeners]>([:])

    /// - Parameter heads: The watch for changes by other servers; nil without a cluster.
    init(databases: PersonDatabases, heads: HeadWatch?) {
        self.databases = databases
        self.heads = heads
        databases.onReplacement { [weak self] person in self?.end(of: person) }
    }

    /// The maximum number of streams of a person.
    static let maximumStreams = 100

    /// Returns the number of streams of a person.
    func streamCount(of person: String) -> Int { listeners.withLock { $0[person]?.streams.count ?? 0 } }

    var streamCount: Int { listeners.withLock { $0.values.reduce(0) { $0 + $1.streams.count } } }

    /// Returns a stream of the events of a person from now on; one that has ended if the person has too many.
    ///
    /// - Parameters:
    ///   - seesReminders: `true` if the stream may see reminders.
    ///   - isValid: Returns whether the stream may continue.
    func events(
        of person: Person, seesReminders: Bool, isValid: @escaping @Sendable () -> Bool
    ) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = UUID()
            let isAccepted = listeners.withLock { listeners in
                var own = listeners[person.id] ?? Listeners()
                guard own.streams.count < Self.maximumStreams else { return false }
                own.streams[id] = Stream(continuation: continuation, seesReminders: seesReminders, isValid: isValid)
                own.watch = own.watch ?? Task { _ = try? await WorkLane.background.run { await self.watch(person) } }
                if seesReminders { own.reminding = own.reminding ?? self.remindingTask(person) }
                listeners[person.id] = own
                return true
            }
            guard isAccepted else { return continuation.finish() }
            continuation.yield(.started)
            continuation.onTermination = { _ in self.unsubscribe(person.id, id) }
        }
    }

    /// Ends all streams on shutdown, or the streams of a person whose database was removed or replaced.
    func end(of person: String? = nil) {
        let ended = listeners.withLock { listeners in
            let ended = listeners.filter { person == nil || $0.key == person }
            for id in ended.keys { listeners[id] = nil }
            return ended.values
        }
        for one in ended {
            one.watch?.cancel()
            one.reminding?.cancel()
            for stream in one.streams.values { stream.continuation.finish() }
        }
    }

    /// Ends the streams whose token or session is no longer valid.
    func endInvalidStreams() {
        for stream in allStreams where !stream.isValid() { stream.continuation.finish() }
    }

    func keepAlive() {
        for stream in allStreams { stream.continuation.yield(.keepAlive) }
    }

    private var allStreams: [Stream] { listeners.withLock { $0.values.flatMap { Array($0.streams.values) } } }

    private func unsubscribe(_ person: String, _ id: UUID) {
        let tasks = listeners.withLock { listeners -> [Task<Void, Never>?] in
            guard var own = listeners[person] else { return [] }
            own.streams[id] = nil
            var ended: [Task<Void, Never>?] = []
            if !own.streams.values.contains(where: \.seesReminders) {
                ended.append(own.reminding)
                own.reminding = nil
            }
            if own.streams.isEmpty { ended.append(own.watch) }
            listeners[person] = own.streams.isEmpty ? nil : own
            return ended
        }
        for task in tasks { task?.cancel() }
    }

    /// Sends an event to the streams of a person, and returns whether there was a stream to send it to.
    private func send(_ event: Event, to person: String, where isReceiver: (Stream) -> Bool = { _ in true }) -> Bool {
        let streams = listeners.withLock { $0[person].map { $0.streams.values.filter(isReceiver) } ?? [] }
        for stream in streams { stream.continuation.yield(event) }
        return !streams.isEmpty
    }

    // MARK: - Tasks of open streams

    private func watch(_ person: Person) async {
        guard let switchboard = try? databases.hold(person) else { return }
        defer { databases.release(switchboard, of: person) }
        if let heads { return await watch(person, switchboard, heads) }
        guard let changes = try? switchboard.storage.changes() else { return }
        _ = send(.started, to: person.id)
        for await change in changes where Self.names[change.module] != nil {
            _ = send(.changed(change), to: person.id)
        }
    }

    /// Watches the journal of a person, and reads the database only after a change.
    private func watch(_ person: Person, _ switchboard: Switchboard, _ heads: HeadWatch) async {
        var known: [String: Int64]?
        for await _ in heads.changes(of: person.id) {
            guard let current = try? EventLog.generations(in: switchboard.storage) else { continue }
            if known == nil { _ = send(.started, to: person.id) }
            for (module, generation) in current where known.map({ $0[module] != generation }) ?? false {
                _ = send(.changed(Change(module: module, generation: generation)), to: person.id)
            }
            known = current
        }
    }

    private func remindingTask(_ person: Person) -> Task<Void, Never> {
        Task { _ = try? await WorkLane.background.run { await self.remind(person) } }
    }

    private func remind(_ person: Person) async {
        guard let switchboard = try? databases.hold(person) else { return }
        defer { databases.release(switchboard, of: person) }
        let delivery = ReminderDelivery("page") { reminder, _ in
            guard self.send(.reminder(reminder), to: person.id, where: \.seesReminders) else {
                throw DeliveryError.failed("no page is open")
            }
            return nil
        }
        if let heads {
            guard let runner = try? switchboard.reminderRunner(delivery: delivery) else { return }
            return await remind(person, runner, heads)
        }
        while !Task.isCancelled {
            guard let runner = try? switchboard.reminderRunner(delivery: delivery) else { return }
            try? await runner.run { _ in }
            // The database could not be read; retry later.
            try? await Task.sleep(for: Self.retryInterval)
        }
    }

    private static let retryInterval = Duration.seconds(5)

    /// Delivers the reminders of a person after each change of the journal, and when the next one is due.
    private func remind(_ person: Person, _ runner: ReminderRunner, _ heads: HeadWatch) async {
        var timer: Task<Void, Never>?
        for await _ in heads.changes(of: person.id) {
            var pause: Duration?
            do {
                try await runner.runOnce(waitingForAnswers: .zero) { _ in }
                // A reminder that is still due lacks consent. Granting consent changes the journal.
                let next = try runner.reminders.nextTry(on: runner.delivery.channel)?.timeIntervalSinceNow
                pause = next.flatMap { $0 > 0 ? .seconds($0) : nil }
            } catch {
                pause = Self.retryInterval
            }
            timer?.cancel()
            timer = pause.map { pause in
                Task { if (try? await Task.sleep(for: pause)) != nil { heads.notify(person.id) } }
            }
        }
        timer?.cancel()
    }
}

/// Detects changes to journals by any server, with one query for all watched journals.
final class HeadWatch: Sendable {
    private struct Watched {
        var sequence: Int64?
        var streams: [UUID: AsyncStream<Void>.Continuation] = [:]
    }

    private let journals: PostgresJournals
    private let watched = Mutex<[String: Watched]>([:])

    private static let interval = Duration.milliseconds(250)

    init(_ journals: PostgresJournals) { self.journals = journals }

    /// Returns a stream with an initial element and one for each detected change to a journal.
    func changes(of name: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            watched.withLock { $0[name, default: Watched()].streams[id] = continuation }
            continuation.yield()
            continuation.onTermination = { _ in
                self.watched.withLock { watched in
                    watched[name]?.streams[id] = nil
                    if watched[name]?.streams.isEmpty ?? false { watched[name] = nil }
                }
            }
        }
    }

    /// Adds an element to the streams of a journal.
    func notify(_ name: String) {
        for stream in watched.withLock({ $0[name].map { Array($0.streams.values) } ?? [] }) { stream.yield() }
    }

    /// Checks for changes until its task is canceled.
    func run() async {
        while !Task.isCancelled {
            try? await WorkLane.background.run { try check() }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func check() throws {
        let names = watched.withLock { Array($0.keys) }
        if names.isEmpty { return }
        let sequences = try journals.sequences(of: names)
        watched.withLock { watched in
            for (name, sequence) in sequences where watched[name].map({ $0.sequence != sequence }) ?? false {
                watched[name]?.sequence = sequence
                for stream in (watched[name]?.streams ?? [:]).values { stream.yield() }
            }
        }
    }
}
