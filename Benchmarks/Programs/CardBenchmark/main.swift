import SwitchboardContacts
import Foundation
import SwitchboardStorage
import SwitchboardVCard

// Reads a file of vCards, or imports it into a new book, and prints how many there are, the seconds it took and the most
// memory that the process had, in MB:
//
//     card-benchmark FILE [DATABASE]
//
// Run by Scripts/import-benchmark, beside another reader of vCards.

let arguments = CommandLine.arguments.dropFirst()
guard let file = arguments.first, arguments.count <= 2, let handle = FileHandle(forReadingAtPath: file) else {
    print("usage: card-benchmark FILE [DATABASE]")
    exit(64)
}
let start = ContinuousClock.now
var cards = 0
if arguments.count == 2, let database = arguments.last {
    let storage = try Storage(at: database, migrations: [ContactBook.migrations])
    let report = try ContactBook(storage: storage).importing([.file(file)])
    cards = report.added + report.merged + report.unchanged
    storage.close()
} else {
    var reader = try VCardReader(ByteStream(handle))
    while try reader.next() != nil { cards += 1 }
}
let seconds = (ContinuousClock.now - start) / .seconds(1)
// Not what the parent is told (ru_maxrss): that begins with the parent's own size.
let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
let kilobytes = line.split(separator: " ").compactMap { Double($0) }.first ?? 0
print("\(cards)\t\(seconds)\t\(kilobytes / 1024)")
