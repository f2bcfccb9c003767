import NIOCore

/// Runs the tasks of a connection on its event loop.
///
/// Otherwise each request would switch threads twice, which costs more than handling it. Blocking work goes to the
/// thread pool (``RouteContext/runBlocking(_:)``).
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
