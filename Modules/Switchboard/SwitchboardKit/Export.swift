import Foundation
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchChoices
import SwitchboardSearchableIndex
import SwitchboardStorage

extension Switchboard {
    /// Returns everything that a database holds about its person, as a ZIP archive that other programs can read:
    ///
    /// | file | content |
    /// | --- | --- |
    /// | `contacts.vcf` | the contacts with photos and groups, vCard 4.0 |
    /// | `prospects.csv`, `prospects.vcf` | the prospects |
    /// | `reminders.ics`, `reminders.jsonl` | the open reminders as a calendar, and all reminders |
    /// | `items.jsonl` or `items-NAME.jsonl` | the items of each index, as `index put` reads them |
    /// | `activities.jsonl` | the activities |
    /// | `choices.jsonl`, `airports.jsonl` | what was chosen for which query, and the recent airports |
    /// | `me.json` | the person's own badge |
    ///
    /// Files without content are left out. The archive is built in memory.
    ///
    /// - Throws: `StorageError`.
    public func exportArchive() throws -> [UInt8] {
        try storage.read { _ in
            var archive = ZipArchive(date: Date())
            func add(_ name: String, _ write: ((String) throws -> Void) throws -> Void) throws {
                var text = ""
                try write { text += $0 }
                if !text.isEmpty { archive.add(name, Array(text.utf8)) }
            }
            func addLines(_ name: String, _ rows: [some Encodable]) throws {
                try add(name) { write in for row in rows { try write(OrderedJSON.text(row) + "\n") } }
            }
            try add("contacts.vcf") { try contacts.export(.vcard4, to: $0) }
            if try prospects.count() > 0 {
                try add("prospects.csv") { try prospects.export(.csv, to: $0) }
                try add("prospects.vcf") { try prospects.export(.vcard4, to: $0) }
            }
            let reminders = try reminders.list()
            if !reminders.isEmpty {
                try add("reminders.ics") { try $0(calendar()) }
                try addLines("reminders.jsonl", reminders.map(ReminderResponse.init))
            }
            for name in try items().stats().indexes {
                let file = name == SearchableIndex.defaultName ? "items.jsonl" : "items-\(name.fileName).jsonl"
                try add(file) { write in
                    try items(name).forEach { item in
                        try write(OrderedJSON.text(item) + "\n")
                        return true
                    }
                }
            }
            var cursor: ListCursor? = .rows(0)
            var activities: [StoredActivity] = []
            while let position = cursor {
                let page = try self.activities.page(at: position, limit: 1_000)
                activities += page.rows
                cursor = page.next
            }
            try addLines("activities.jsonl", activities)
            try addLines("choices.jsonl", choices.list().map(ExportedChoice.init))
            try addLines("airports.jsonl", recentAirports())
            if let me = try prospects.me() { archive.add("me.json", try OrderedJSON.bytes(MeResponse(me))) }
            return archive.bytes
        }
    }

    /// The open reminders as an iCalendar file.
    public func calendar() throws -> String {
        ReminderCalendar.text(of: try reminders.list([.pending, .delivered]), now: Date())
    }
}

private struct ExportedChoice: Encodable {
    let kind, id, query, chosenAt: String
    let count: Int

    init(_ choice: SearchChoices.Choice) {
        (kind, id, query, count) = (choice.kind, choice.id, choice.query, choice.count)
        chosenAt = choice.chosenAt.formatted(.iso8601)
    }
}

extension String {
    /// The text with only letters, digits, dots and dashes.
    fileprivate var fileName: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" })
    }
}

/// A writer of ZIP archives with uncompressed files of less than 4 GiB in all (PKWARE APPNOTE 6.3.3).
struct ZipArchive {
    /// The date and time of the files in the format of MS-DOS.
    private let time: [UInt8]
    private var files: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    init(date: Date) {
        let parts = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: date)
        func number(_ part: Int?) -> Int { part ?? 0 }
        let clock = number(parts.hour) << 11 | number(parts.minute) << 5 | number(parts.second) / 2
        let day = max(0, number(parts.year) - 1980) << 9 | number(parts.month) << 5 | number(parts.day)
        time = Self.bytes(UInt16(truncatingIfNeeded: clock)) + Self.bytes(UInt16(truncatingIfNeeded: day))
    }

    /// Adds a file.
    mutating func add(_ name: String, _ content: [UInt8]) {
        let (name, size) = (Array(name.utf8), Self.bytes(UInt32(content.count)))
        // Version 2.0, names in UTF-8, stored without compression.
        var description = Self.bytes(UInt16(20)) + Self.bytes(UInt16(0x0800)) + Self.bytes(UInt16(0)) + time
        description += Self.bytes(Self.checksum(of: content)) + size + size
        description += Self.bytes(UInt16(name.count)) + Self.bytes(UInt16(0))
        let offset = Self.bytes(UInt32(files.count))
        files += Self.bytes(UInt32(0x0403_4B50)) + description + name + content
        // No comment, the first disk, no attributes.
        directory += Self.bytes(UInt32(0x0201_4B50)) + Self.bytes(UInt16(20)) + description
        directory += [UInt8](repeating: 0, count: 10) + offset + name
        count += 1
    }

    /// The archive.
    var bytes: [UInt8] {
        var end = Self.bytes(UInt32(0x0605_4B50)) + [0, 0, 0, 0] + Self.bytes(count) + Self.bytes(count)
        end += Self.bytes(UInt32(directory.count)) + Self.bytes(UInt32(files.count)) + [0, 0]
        return files + directory + end
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Returns the CRC-32 of ISO 3309.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            let index = UInt8(truncatingIfNeeded: sum) ^ byte
            sum = table[Int(index)] ^ (sum >> 8)
        }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { number in
        var sum = UInt32(number)
        for _ in 0..<8 { sum = (sum & 1) * 0xEDB8_8320 ^ (sum >> 1) }
        return sum
    }
}
