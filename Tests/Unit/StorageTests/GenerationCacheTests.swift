import SwitchboardStorage
import Testing

@Suite("A generation cache")
struct GenerationCacheTests {
    @Test("returns only values of the requested generation")
    func generations() {
        let cache = GenerationCache<String, Int>(capacity: 8)
        #expect(cache.value(for: "a", generation: 0) == nil)
        cache.insert(1, for: "a", generation: 3)
        #expect(cache.value(for: "a", generation: 3) == 1)
        #expect(cache.value(for: "a", generation: 4) == nil)
        cache.insert(2, for: "b", generation: 4)
        #expect(cache.value(for: "a", generation: 4) == nil)
        #expect(cache.value(for: "a", generation: 3) == nil, "an earlier generation does not come back")
        #expect(cache.value(for: "b", generation: 4) == 2)
    }

    @Test("evicts the least recently used values")
    func eviction() {
        let cache = GenerationCache<Int, Int>(capacity: 10)
        cache.insert(-1, for: 0, generation: 1)
        for key in 1...100 {
            cache.insert(key, for: key, generation: 1)
            #expect(cache.value(for: 0, generation: 1) == -1, "a value in constant use is not evicted")
        }
        let left = (1...100).filter { cache.value(for: $0, generation: 1) != nil }
        #expect(left.count <= 10)
        #expect(left.last == 100)
    }

    @Test("with a capacity of 0 stores nothing")
    func zeroCapacity() {
        let cache = GenerationCache<Int, Int>(capacity: 0)
        cache.insert(1, for: 1, generation: 0)
        #expect(cache.value(for: 1, generation: 0) == nil)
    }

    @Test("returns the last value inserted for a key")
    func replacement() {
        let cache = GenerationCache<Int, String>(capacity: 2)
        for text in ["a", "b", "c"] { cache.insert(text, for: 7, generation: 1) }
        #expect(cache.value(for: 7, generation: 1) == "c")
    }
}
