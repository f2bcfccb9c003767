import SwitchboardStorage
import Testing

/// What is kept in memory of one generation.
@Suite struct DerivedMemoryTests {
    @Test func keepsWhatIsOfItsGeneration() {
        let memory = GenerationCache<String, Int>(capacity: 8)
        #expect(memory.value(for: "a", generation: 0) == nil)
        memory.insert(1, for: "a", generation: 3)
        #expect(memory.value(for: "a", generation: 3) == 1)
        #expect(memory.value(for: "a", generation: 4) == nil)
        memory.insert(2, for: "b", generation: 4)
        #expect(memory.value(for: "a", generation: 4) == nil)
        #expect(memory.value(for: "a", generation: 3) == nil, "an earlier generation never comes back")
        #expect(memory.value(for: "b", generation: 4) == 2)
    }

    @Test func forgetsWhatWasNotAskedForLately() {
        let memory = GenerationCache<Int, Int>(capacity: 10)
        memory.insert(-1, for: 0, generation: 1)
        for key in 1...100 {
            memory.insert(key, for: key, generation: 1)
            #expect(memory.value(for: 0, generation: 1) == -1, "what is asked for again and again stays")
        }
        let left = (1...100).filter { memory.value(for: $0, generation: 1) != nil }
        #expect(left.count <= 10)
        #expect(left.last == 100)
    }

    @Test func keepsNothingIfItMayNot() {
        let memory = GenerationCache<Int, Int>(capacity: 0)
        memory.insert(1, for: 1, generation: 0)
        #expect(memory.value(for: 1, generation: 0) == nil)
    }

    @Test func keepsTheLastOfSeveralValues() {
        let memory = GenerationCache<Int, String>(capacity: 2)
        for text in ["a", "b", "c"] { memory.insert(text, for: 7, generation: 1) }
        #expect(memory.value(for: 7, generation: 1) == "c")
    }
}
