import Benchmark
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardTextNormalization
import Workload

/// The steps of storing a name. One iteration is one name, word or number.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .nanoseconds, warmupIterations: 2000, maxDuration: .seconds(3),
        maxIterations: 20_000)

    Benchmark("a name folded, with its other spellings") { (benchmark: Benchmark, people: [Person]) in
        blackHole(FoldedText(people[benchmark.currentIteration % people.count].name))
    } setup: {
        try Person.generated(10_000)
    }
    Benchmark("a query folded") { (benchmark: Benchmark, people: [Person]) in
        blackHole(FoldedQuery(people[benchmark.currentIteration % people.count].name))
    } setup: {
        try Person.generated(10_000)
    }
    Benchmark("a word as keys") { (benchmark: Benchmark, words: [FoldedWord]) in
        blackHole(keypadSpellings(of: words[benchmark.currentIteration % words.count]))
    } setup: {
        try Person.generated(10_000).flatMap { FoldedText($0.name).words }
    }
    Benchmark("a phone number read") { (benchmark: Benchmark, numbers: [String]) in
        blackHole(PhoneNumber(numbers[benchmark.currentIteration % numbers.count], region: "GB"))
    } setup: {
        try Person.generated(10_000).flatMap(\.phones)
    }
}
