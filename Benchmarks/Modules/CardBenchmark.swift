import Foundation
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardVCard

/// Reads a file of vCards, or imports it into a new database, and prints the number of cards, the seconds and the peak
/// memory in MB. Scripts/bench import runs it beside another vCard reader.
func measureCards(_ arguments: [String]) throws {
    guard let file = arguments.first, arguments.count <= 2, let handle = FileHandle(forReadingAtPath: file) else {
        throw UsageError()
    }
    let start = ContinuousClock.now
    var cards = 0
    if arguments.count == 2, let database = arguments.last {
        let storage = try Storage(at: database, migrations: [ContactBook.migrations])
        let report = try ContactBook(storage: storage, region: nil).importContacts(from: [.file(file)])
        cards = report.added + report.merged + report.unchanged
        storage.close()
    } else {
        var reader = try VCardReader(ByteStream(handle))
        while try reader.next() != nil { cards += 1 }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Not ru_maxrss, which starts at the size of the parent process.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    let kilobytes = line.split(separator: " ").compactMap { Double($0) }.first ?? 0
    print("\(cards)\t\(seconds)\t\(kilobytes / 1024)")
}
