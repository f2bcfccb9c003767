import Synchronization

/// A value that is created once, on first use.
final class Once<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// Returns the value, creating it on the first call. Concurrent callers wait.
    func callAsFunction(_ make: () throws -> Value) rethrows -> Value {
        try value.withLock { value in
            if let value { return value }
            let made = try make()
            value = made
            return made
        }
    }
}
