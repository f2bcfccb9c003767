import SwitchboardAccounts
import Testing

@Suite("Pauses of push services") struct PushPausesTests {
    private let start = ContinuousClock.now
    private let service = "https://push.example.org"

    @Test("Each failure doubles the pause, up to fifteen minutes")
    func doubling() {
        var pauses = PushPauses()
        var now = start
        for seconds in [15, 30, 60, 120, 240, 480, 900, 900] {
            #expect(pauses.reason(for: "ana", service, at: now) == nil)
            pauses.begin(for: "ana", service, because: "timed out", at: now)
            #expect(pauses.reason(for: "ana", service, at: now + .seconds(seconds - 1)) == "timed out")
            now += .seconds(seconds)
        }
        #expect(pauses.reason(for: "ana", service, at: now) == nil)
    }

    @Test("An answer ends a pause, and so does a long time without failures")
    func ending() {
        var pauses = PushPauses()
        for _ in 0..<3 { pauses.begin(for: "ana", service, because: "", at: start) }
        pauses.end(for: "ana", service)
        #expect(pauses.reason(for: "ana", service, at: start) == nil)
        pauses.begin(for: "ana", service, because: "", at: start)
        #expect(pauses.reason(for: "ana", service, at: start + PushPauses.shortest) == nil)
        let later = start + .seconds(86_400)
        pauses.begin(for: "ana", service, because: "", at: later)
        #expect(pauses.reason(for: "ana", service, at: later + PushPauses.shortest) == nil)
    }

    @Test("A pause concerns one person and one origin", arguments: [("ben", 0), ("ana", 1)])
    func separation(person: String, number: Int) {
        var pauses = PushPauses()
        let services = [service, service + ":8443"]
        pauses.begin(for: "ana", services[0], because: "", at: start)
        #expect(pauses.reason(for: person, services[number], at: start) == nil)
        #expect(pauses.reason(for: "ana", services[0], at: start) != nil)
    }

    @Test("Failures of an origin are reported once per pause, whoever has them")
    func reports() {
        var pauses = PushPauses()
        func isReported(_ person: String, _ service: String, after seconds: Int = 0) -> Bool {
            pauses.shouldReport(for: person, service, at: start + .seconds(seconds))
        }
        pauses.begin(for: "ana", service, because: "", at: start)
        #expect(isReported("ana", service))
        #expect(!isReported("ana", service))
        #expect(!isReported("ben", service))
        #expect(isReported("ana", service + ":8443"))
        #expect(isReported("ana", service, after: 15))
        // A response with an error leads to no pause.
        let other = "https://other.example.org"
        #expect(isReported("ana", other))
        #expect(!isReported("ana", other, after: 899))
        #expect(isReported("ana", other, after: 900))
    }
}
