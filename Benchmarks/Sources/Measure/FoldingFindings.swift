import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardTextNormalization
import Workload

/// Folding names, spelling them on keys, reading phone numbers: what storing a contact costs, a piece at a time.
enum FoldingFindings {
    static func measured() throws -> Findings {
        var findings = Findings()
        let people = try Person.made(10_000).prefix(2000)
        let names = people.map(\.name)
        let numbers = people.flatMap(\.phones)
        let words = names.flatMap { FoldedText($0).words }
        findings.add("a name, with its other spellings", Latencies.measured(names) { blackHole(FoldedText($0)) })
        findings.add("a question", Latencies.measured(names) { blackHole(FoldedQuery($0)) })
        findings.add("a word as keys", Latencies.measured(words) { blackHole(keypadSpellings(of: $0)) })
        findings.add("a phone number", Latencies.measured(numbers) { blackHole(PhoneNumber($0, region: "GB")) })
        return findings
    }

    /// Keeps the optimiser from leaving out what nobody looks at.
    @inline(never)
    private static func blackHole<Value>(_: Value) {}
}
