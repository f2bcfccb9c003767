/// Calls the caller's cancellation check every 512 steps.
struct CancellationCheck {
    let isCancelled: (@Sendable () -> Bool)?
    private var steps: UInt32 = 0

    init(_ isCancelled: (@Sendable () -> Bool)?) { self.isCancelled = isCancelled }

    @inline(__always)
    mutating func step() throws(CancellationError) {
        steps &+= 1
        if steps & 511 == 0, let isCancelled, isCancelled() { throw CancellationError() }
    }

    /// Calls the check immediately.
    func check() throws(CancellationError) {
        if let isCancelled, isCancelled() { throw CancellationError() }
    }
}
