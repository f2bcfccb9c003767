import NIOCore

/// WordSuffixes the tasks of a connection on the thread that reads and writes it.
///
/// Without it each request would go to another thread and its answer back again, which costs more than answering. What may wait,
/// such as reading a file, goes to a thread of its own in any case (``Call/work(_:)``).
final class EventLoopTasks: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
