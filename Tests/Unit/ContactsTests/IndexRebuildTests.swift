import Foundation
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import Testing

/// Index files with right checksums whose sections do not fit each other.
@Suite("Crafted index files of contacts")
struct IndexRebuildTests {
    @Test("A file whose sections do not fit is rebuilt", arguments: [32, 36])
    func rebuild(field: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Storage(
            at: folder.appending(path: "a.sqlite").path, migrations: [ContactBook.migrations])
        let book = ContactBook(storage: storage, region: nil)
        _ = try book.add(Contact(name: PersonName(splitting: "Ada Lovelace")))
        #expect(try ContactSearch(book: book).search("ada").hits.count == 1)
        let file = folder.appending(path: "a.index/contacts.index")
        let intact = try Data(contentsOf: file)
        // One document or one field more than the sections have.
        var bytes = [UInt8](intact)
        bytes[field] += 1
        Self.repairHead(&bytes)
        try Data(bytes).write(to: file)
        #expect(try ContactSearch(book: book).search("ada").hits.count == 1)
        #expect(try Data(contentsOf: file) == intact)
    }

    /// Stores the checksum of header and directory (docs/engine.md).
    private static func repairHead(_ bytes: inout [UInt8]) {
        func checksum(_ range: Range<Int>) -> UInt64 {
            var hash = ByteHash()
            bytes[range].withUnsafeBytes { hash.add($0) }
            return hash.value ^ (hash.value >> 32)
        }
        let end = 64 + 32 * Int(bytes[12])
        let head = checksum(0..<40) &* 0x9E37_79B9_7F4A_7C15 ^ checksum(48..<end)
        for byte in 0..<8 { bytes[40 + byte] = UInt8(truncatingIfNeeded: head >> UInt64(8 * byte)) }
    }
}
