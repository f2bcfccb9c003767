import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// Returns the results of transforming each chunk of elements, in order, computed on all processors.
    ///
    /// - Parameters:
    ///   - size: The number of elements in a chunk, at least 1.
    ///   - transform: Transforms a chunk. Called on several threads.
    /// - Throws: The error of the first chunk that fails.
    package func concurrentMap<Output: Sendable, Failure: Error>(
        chunksOf size: Int, _ transform: @Sendable (ArraySlice<Element>) throws(Failure) -> Output
    ) throws(Failure) -> [Output] {
        let chunks = (count + size - 1) / size
        let results = Mutex([Result<Output, Failure>?](repeating: nil, count: chunks))
        DispatchQueue.concurrentPerform(iterations: chunks) { number in
            let chunk = self[number * size..<Swift.min((number + 1) * size, count)]
            let result = Result { () throws(Failure) in try transform(chunk) }
            results.withLock { $0[number] = result }
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(chunks)
        for case let result? in results.withLock({ $0 }) { outputs.append(try result.get()) }
        return outputs
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in order of first occurrence.
    package var uniqued: [Element] {
        guard count > 1 else { return self }
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
