import SwitchboardIncrementalIndex
import Synchronization
import Testing

@Suite("Blocking work in a task")
struct RunCancellableTests {
    @Test("Returns the value, or throws the error, of the work")
    func result() async throws {
        let value = try await runCancellable { _ in 7 }
        #expect(value == 7)
        await #expect(throws: WorkError.self) { try await runCancellable { _ in throw WorkError() } }
    }

    @Test("Work that polls ends when its task is cancelled")
    func cancellationDuringWork() async throws {
        let hasBegun = Flag()
        let task = Task {
            try await runCancellable { isCancelled in
                hasBegun.set()
                while !isCancelled() {}
                throw CancellationError()
            }
        }
        while !hasBegun.isSet { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Work of a cancelled task does not begin")
    func cancellationBeforeWork() async {
        let hasBegun = Flag()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await runCancellable { _ in hasBegun.set() }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!hasBegun.isSet)
    }
}

private struct WorkError: Error {}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}
