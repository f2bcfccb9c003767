/// The pauses in sending after messages that a push service did not answer.
///
/// A service that hangs costs the sender the whole timeout of a message. After the first timeout, further messages fail
/// immediately for a while: 15 seconds, then twice as long after each failure, up to 15 minutes.
///
/// A pause applies to one person and one origin, because paths of one origin may behave differently. No one can make
/// the server pause messages to other people.
public struct PushPauses: Sendable {
    private struct Key: Hashable {
        let person: String
        let origin: String
    }

    private struct Pause {
        let reason: String
        let length: Duration
        let end: ContinuousClock.Instant
    }

    /// The length of the first pause.
    public static let shortest = Duration.seconds(15)
    /// The maximum length of a pause.
    public static let longest = Duration.seconds(900)

    private var pauses: [Key: Pause] = [:]
    /// The times until which further failures of an origin are not reported.
    private var quietUntil: [String: ContinuousClock.Instant] = [:]

    /// Creates a list without pauses.
    public init() {}

    /// Returns the reason why messages of a person to an origin are paused; nil if they are not.
    public func reason(for person: String, _ origin: String, at now: ContinuousClock.Instant = .now) -> String? {
        pauses[Key(person: person, origin: origin)].flatMap { now < $0.end ? $0.reason : nil }
    }

    /// Begins a pause, twice as long as the previous one if messages have not been answered since.
    public mutating func begin(
        for person: String, _ origin: String, because reason: String, at now: ContinuousClock.Instant = .now
    ) {
        // Drop pauses that ended long ago, so the list does not grow.
        pauses = pauses.filter { now - $0.value.end < Self.longest }
        let key = Key(person: person, origin: origin)
        let length = pauses[key].map { min($0.length * 2, Self.longest) } ?? Self.shortest
        pauses[key] = Pause(reason: reason, length: length, end: now + length)
    }

    /// Ends the pause of a person and an origin that has answered.
    public mutating func end(for person: String, _ origin: String) {
        pauses[Key(person: person, origin: origin)] = nil
    }

    /// Returns `true` if a failure of an origin should be reported: once per pause, and once every fifteen minutes if
    /// it did not lead to a pause.
    public mutating func shouldReport(
        for person: String, _ origin: String, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        quietUntil = quietUntil.filter { now < $0.value }
        guard quietUntil[origin] == nil else { return false }
        quietUntil[origin] = now + (pauses[Key(person: person, origin: origin)]?.length ?? Self.longest)
        return true
    }
}
