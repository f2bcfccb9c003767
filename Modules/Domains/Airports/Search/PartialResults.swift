import Synchronization

/// The results of work divided among threads, by index.
final class PartialResults<Value: Sendable>: Sendable {
    let count: Int
    private let values: Mutex<[Value?]>

    init(count: Int) {
        self.count = count
        values = Mutex(Array(repeating: nil, count: count))
    }

    func set(_ number: Int, _ value: Value) {
        values.withLock { if $0.indices.contains(number) { $0[number] = value } }
    }

    func take(_ number: Int) -> Value? {
        values.withLock { values in
            guard values.indices.contains(number) else { return nil }
            defer { values[number] = nil }
            return values[number]
        }
    }
}
