import Synchronization

/// A value made when it is first asked for, once, whichever task asks.
final class Once<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// The value, made by `make` if this is the first call; others wait for it.
    func callAsFunction(_ make: () -> Value) -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}
