import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardTextNormalization
import Workload

/// The steps of storing a contact: folding names, spelling them on keys, parsing phone numbers.
enum FoldingMeasurements {
    static func measured() throws -> Measurements {
        var measurements = Measurements()
        let people = try Person.generated(10_000).prefix(2000)
        let names = people.map(\.name)
        let numbers = people.flatMap(\.phones)
        let words = names.flatMap { FoldedText($0).words }
        measurements.add("a name, with its other spellings", Latencies.measured(names) { blackHole(FoldedText($0)) })
        measurements.add("a query", Latencies.measured(names) { blackHole(FoldedQuery($0)) })
        measurements.add("a word as keys", Latencies.measured(words) { blackHole(keypadSpellings(of: $0)) })
        measurements.add("a phone number", Latencies.measured(numbers) { blackHole(PhoneNumber($0, region: "GB")) })
        return measurements
    }

    /// Keeps the optimizer from removing unused results.
    @inline(never)
    private static func blackHole<Value>(_: Value) {}
}
