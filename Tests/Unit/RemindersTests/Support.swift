import Foundation
import SwitchboardStorage
import Synchronization

@testable import SwitchboardReminders

/// A clock that the test advances.
final class TestClock: Sendable {
    private let time: Mutex<Date>

    /// Creates a clock at a time in UTC, such as "2026-11-21T08:00:00Z".
    init(_ text: String = "2026-11-21T08:00:00Z") {
        time = Mutex((try? Date(text, strategy: .iso8601)) ?? Date(timeIntervalSince1970: 0))
    }

    var now: Date { time.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A thread-safe array.
final class Box<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])
    var elements: [Element] { list.withLock { $0 } }
    func append(_ element: Element) { list.withLock { $0.append(element) } }
}

/// Creates reminders in memory, with consent unless `allowed` is false.
func emptyReminders(
    clock: TestClock = TestClock(), zone: String = "Europe/Berlin", allowed: Bool = true
) throws -> Reminders {
    let storage = try Storage.inMemory(migrations: [Reminders.migrations])
    if allowed { try storage.setStatus(.authorized, of: .notifications) }
    return Reminders(storage: storage, timeZone: TimeZone(identifier: zone) ?? .gmt) { clock.now }
}

extension Reminders {
    @discardableResult
    func set(_ subject: String, in seconds: Int = 60) throws -> Reminder {
        try schedule(
            subject, name: subject.capitalized, title: "Contact \(subject.capitalized)", body: "\(subject)@example.org",
            at: .after(ReminderDelay(seconds: seconds))
        ).reminder
    }
}

/// The transitions of a time zone from the system's files (RFC 8536), independent of Foundation.
struct ZoneFile {
    /// The times of transitions and the offsets after them, in seconds.
    let changes: [(moment: Int, offset: Int)]

    init?(_ identifier: String) {
        guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + identifier) else { return nil }
        let bytes = [UInt8](data)
        func number(_ place: Int, _ length: Int) -> Int {
            guard place >= 0, place + length <= bytes.count else { return 0 }
            var value: UInt64 = bytes[place] & 0x80 == 0 ? 0 : .max
            for byte in bytes[place..<(place + length)] { value = value << 8 | UInt64(byte) }
            return Int(Int64(bitPattern: value))
        }
        guard bytes.starts(with: Array("TZif".utf8)), bytes.count > 88 else { return nil }
        func size(_ header: Int, time: Int) -> Int {
            let counts = (0..<6).map { number(header + 20 + 4 * $0, 4) }
            return counts[3] * (time + 1) + counts[4] * 6 + counts[5] + counts[2] * (time + 4) + counts[1] + counts[0]
        }
        let header = 44 + size(0, time: 4)
        let (times, start) = (number(header + 32, 4), header + 44)
        let types = start + times * 9
        changes = (0..<times).map { index in
            let type = Int(bytes[start + times * 8 + index])
            return (number(start + index * 8, 8), number(types + type * 6, 4))
        }
    }

    /// Returns the offset at a time, or nil before the first transition.
    func offset(at moment: Int) -> Int? { changes.last { $0.moment <= moment }?.offset }
}
