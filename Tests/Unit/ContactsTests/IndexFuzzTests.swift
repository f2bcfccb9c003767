import Foundation
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@testable import SwitchboardContacts

/// A search detects a corrupt index file and rebuilds it.
@Suite("Corrupt index files of contacts")
struct IndexFuzzTests {
    /// `FUZZ_ROUNDS` sets the number of rounds, of which this test, whose rounds are slow, runs one in 200.
    @Test("a search of a corrupt index file returns the right results")
    func corruption() throws {
        let configured = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) }
        let rounds = configured.map { $0 / 200 } ?? 20
        var random = SplitMix(seed: configured == nil ? 7 : UInt64.random(in: .min ... .max))
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        var (round, rebuilt, unread) = (0, 0, 0)
        for books in 1...max(rounds / 10, 1) {
            let path = folder.appending(path: "\(books).sqlite").path
            let storage = try Storage(at: path, migrations: [ContactBook.migrations])
            let book = ContactBook(storage: storage, region: nil)
            for _ in 0..<Int(random.next() % 60 + 1) { _ = try book.add(ContactSegmentsTests.person(&random)) }
            try? FileManager.default.removeItem(at: folder.appending(path: "\(books).index"))
            let expected = try ContactSegmentsTests.results(ContactSearch(book: book), limits: [0])
            let file = folder.appending(path: "\(books).index/contacts.index")
            let original = try Data(contentsOf: file)
            for _ in 0..<10 {
                round += 1
                let corrupt = Self.corrupted(original, &random)
                // Replaces the file, so that the existing mapping stays valid.
                try corrupt.write(to: file, options: .atomic)
                let results = try ContactSegmentsTests.results(
                    ContactSearch(book: book, rebuildsInBackground: false), limits: [0])
                #expect(ContactSegmentsTests.difference(results, expected) == nil, "book \(books), round \(round)")
                if try Data(contentsOf: file) == corrupt { unread += 1 } else { rebuilt += 1 }
            }
            storage.close()
        }
        #expect(rebuilt > 0)
        print("\(round) corrupt files: \(rebuilt) rebuilt, \(unread) with corruption that no query read")
    }

    private static func corrupted(_ original: Data, _ random: inout SplitMix) -> Data {
        var data = original
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }
        let place = below(data.count)
        switch below(9) {
        case 0...2: data[place] ^= 1 << UInt8(below(8))
        case 3: for _ in 0..<16 { data[below(data.count)] = UInt8(below(256)) }
        // The header and the directory.
        case 4: data[below(min(data.count, 2048))] = UInt8(below(256))
        case 5: data.resetBytes(in: place..<min(data.count, place + 4096))
        case 6: data.removeSubrange(place...)
        case 7: data.append(Data((0...below(8192)).map { _ in UInt8(below(256)) }))
        default: data = Data((0..<below(8192)).map { _ in UInt8(below(256)) })
        }
        return data
    }
}
