import Foundation
import VCardFormat

// Reads a file of vCards as an import does before it understands them, and prints how many there are and the seconds it took:
// card-figures FILE. Run by Scripts/import-figures, beside another reader of vCards.

guard CommandLine.arguments.count == 2, let handle = FileHandle(forReadingAtPath: CommandLine.arguments[1]) else {
    print("usage: card-figures FILE")
    exit(64)
}
let clock = ContinuousClock()
let start = clock.now
var reader = try VCardReader(ByteStream(handle))
var (cards, properties) = (0, 0)
while let card = try reader.next() {
    cards += 1
    properties += card.properties.count
}
let seconds = (clock.now - start) / .seconds(1)
print("\(cards)\t\(properties)\t\(seconds)")
