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
    ///   cancelled before its turn, the errors of the operation.
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
