import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardContacts

/// The file of the index goes bad in every way, and all answers stay those of the book: it is mapped again each time, and what is
/// damaged is found out and made anew.
@Suite("Damaged index files")
struct IndexFuzzTests {
    /// Runs for a second; `Scripts/fuzz-index SECONDS` runs it for longer.
    @Test("Whatever happens to the file, the answers are right")
    func damage() throws {
        let seconds = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap(Double.init) ?? 1
        let end = Date().addingTimeInterval(seconds)
        var random = SplitMix(seed: seconds > 1 ? UInt64.random(in: .min ... .max) : 7)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        var (rounds, madeAnew, unnoticed) = (0, 0, 0)
        var books = 0
        while Date() < end {
            books += 1
            let path = folder.appending(path: "\(books).sqlite").path
            let storage = try Storage(at: path, migrations: [ContactBook.migrations])
            let book = ContactBook(storage: storage, region: nil)
            for _ in 0..<Int(random.next() % 60 + 1) { _ = try book.add(ContactSegmentsTests.person(&random)) }
            try? FileManager.default.removeItem(at: folder.appending(path: "\(books).index"))
            let expected = try ContactSegmentsTests.answers(ContactSearch(book: book), limits: [0])
            let file = folder.appending(path: "\(books).index/contacts.index")
            let sound = try Data(contentsOf: file)
            for _ in 0..<30 where Date() < end {
                rounds += 1
                let damaged = Self.damaged(sound, &random)
                // Another file in its place, as a program does; what was mapped before stays as it was.
                try damaged.write(to: file, options: .atomic)
                let answers = try ContactSegmentsTests.answers(
                    ContactSearch(book: book, rebuildsInBackground: false), limits: [0])
                #expect(ContactSegmentsTests.difference(answers, expected) == nil, "book \(books), round \(rounds)")
                if try Data(contentsOf: file) == damaged { unnoticed += 1 } else { madeAnew += 1 }
            }
            storage.close()
        }
        #expect(madeAnew > 0)
        print(
            "Damaged files: \(rounds) of \(books) books; made anew: \(madeAnew), not touched by any question: \(unnoticed)"
        )
    }

    private static func damaged(_ sound: Data, _ random: inout SplitMix) -> Data {
        var data = sound
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }
        let place = below(data.count)
        switch below(9) {
        case 0...2: data[place] ^= 1 << UInt8(below(8))
        case 3: for _ in 0..<16 { data[below(data.count)] = UInt8(below(256)) }
        // The header and the directory are small, and most depends on them.
        case 4: data[below(min(data.count, 2048))] = UInt8(below(256))
        case 5: data.resetBytes(in: place..<min(data.count, place + 4096))
        case 6: data.removeSubrange(place...)
        case 7: data.append(Data((0...below(8192)).map { _ in UInt8(below(256)) }))
        default: data = Data((0..<below(8192)).map { _ in UInt8(below(256)) })
        }
        return data
    }
}
