import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// Threads for blocking tasks: database access, searches, the encoding of large JSON responses, and compression.
///
/// Event loops only read requests and write responses, so no request delays the connection of another. Separate lanes
/// keep slow searches of private data from delaying airports and writes.
final class WorkLane: TaskExecutor {
    /// Airports, the keypad and other requests open to anyone.
    static let open = WorkLane(threads: System.coreCount)
    /// Private lists and searches, which never wait for a lock.
    static let reading = WorkLane(threads: System.coreCount)
    /// Changes and imports, which may wait for a database that another process is writing.
    static let writing = WorkLane(threads: 16)

    /// Event streams, reminders and maintenance.
    static let background = WorkLane(threads: 4)

    /// The lanes by name.
    static let all = [("open", open), ("reading", reading), ("writing", writing), ("background", background)]

    /// The number of tasks that wait for a thread.
    var waitingCount: Int { waiting.load(ordering: .relaxed) }

    /// The maximum number of tasks that wait for a thread.
    private static let capacity = 1_000

    private let threads: NIOThreadPool
    private let waiting = Atomic<Int>(0)

    private init(threads count: Int) {
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    /// Runs an operation, and everything that it awaits, on the threads of this lane.
    ///
    /// - Throws: A ``Problem`` with status 503 if too many tasks are waiting, `CancellationError` if the task is
    ///   canceled before its turn, the errors of the operation.
    func run<Value>(_ operation: () async throws -> Value) async throws -> Value {
        guard waiting.load(ordering: .relaxed) < Self.capacity else { throw Problem.busy }
        return try await withTaskExecutorPreference(self) {
            try Task.checkCancellation()
            return try await operation()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        waiting.add(1, ordering: .relaxed)
        threads.submit { _ in
            self.waiting.subtract(1, ordering: .relaxed)
            // Safe: each job runs once.
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

struct WorkLaneMiddleware: ServerMiddleware {
    let lane: WorkLane

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await lane.run { try await next(request, context) }
    }
}

/// Runs the tasks of each person one after another, and limits the number of people whose tasks run at the same time.
///
/// Tasks wait in order of arrival, without occupying a thread.
final class Turns: Sendable {
    private struct Waiter {
        let person: String
        let number: Int
        let turn: AsyncStream<Void>.Continuation
    }

    private struct State {
        var running: Set<String> = []
        var waiting: [Waiter] = []
        var lastNumber = 0
    }

    private let limit: Int
    private let maximumWaiting: Int
    private let maximumWaitingOfPerson: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number of tasks that may run at the same time.
    ///   - maximumWaiting: The number of tasks that may wait.
    ///   - maximumWaitingOfPerson: The number of tasks of one person that may wait.
    init(limit: Int, maximumWaiting: Int = .max, maximumWaitingOfPerson: Int = .max) {
        self.limit = limit
        self.maximumWaiting = maximumWaiting
        self.maximumWaitingOfPerson = maximumWaitingOfPerson
    }

    /// Runs an operation when its person's turn comes.
    ///
    /// - Throws: A ``Problem`` with status 429 or 503 if too many tasks are waiting, `CancellationError` if the task is
    ///   canceled before its turn, the errors of the operation.
    func run<Value>(for person: String, _ operation: () async throws -> Value) async throws -> Value {
        try await begin(person)
        defer { end(person) }
        return try await operation()
    }

    private func begin(_ person: String) async throws {
        let (turns, turn) = AsyncStream<Void>.makeStream()
        let number = try state.withLock { state -> Int? in
            if state.running.count < limit, state.running.insert(person).inserted { return nil }
            guard state.waiting.count(where: { $0.person == person }) < maximumWaitingOfPerson else {
                throw Problem.tooManyAtOnce
            }
            guard state.waiting.count < maximumWaiting else { throw Problem.busy }
            state.lastNumber += 1
            state.waiting.append(Waiter(person: person, number: state.lastNumber, turn: turn))
            return state.lastNumber
        }
        guard let number else { return }
        for await _ in turns { return }
        // The task was canceled, perhaps just after its turn had come.
        let isWaiting = state.withLock { state in
            let place = state.waiting.firstIndex { $0.number == number }
            if let place { state.waiting.remove(at: place) }
            return place != nil
        }
        if !isWaiting { end(person) }
        throw CancellationError()
    }

    private func end(_ person: String) {
        let next = state.withLock { state -> Waiter? in
            state.running.remove(person)
            guard let place = state.waiting.firstIndex(where: { !state.running.contains($0.person) }) else {
                return nil
            }
            let next = state.waiting.remove(at: place)
            state.running.insert(next.person)
            return next
        }
        next?.turn.yield()
    }
}
