import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// Returns the results of transforming each chunk of `size` elements, in order, on all processors.
    package func concurrentMap<Result: Sendable>(
        chunksOf size: Int, _ transform: @Sendable (ArraySlice<Element>) -> Result
    ) -> [Result] {
        let results = Mutex<[Result?]>(.init(repeating: nil, count: (count + size - 1) / size))
        DispatchQueue.concurrentPerform(iterations: (count + size - 1) / size) { number in
            let result = transform(self[number * size..<Swift.min((number + 1) * size, count)])
            results.withLock { $0[number] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
