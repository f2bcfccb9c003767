import ContactBook
import Foundation
import Storage
import VCardFormat

// Reads a file of vCards, or imports it into a new book, and prints how many there are and the seconds it took:
//
//     card-figures FILE [DATABASE]
//
// Run by Scripts/import-figures, beside another reader of vCards.

let arguments = CommandLine.arguments.dropFirst()
guard let file = arguments.first, arguments.count <= 2, let handle = FileHandle(forReadingAtPath: file) else {
    print("usage: card-figures FILE [DATABASE]")
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
print("\(cards)\t\((ContinuousClock.now - start) / .seconds(1))")
