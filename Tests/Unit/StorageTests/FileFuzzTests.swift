import Foundation
import GRDB
import SwitchboardStorage
import Testing

/// Corrupts databases and backups at random. Nothing may trap, every error has a message, and a refused backup changes
/// nothing.
@Suite("Random corruption of files")
struct FileFuzzTests {
    /// The number of rounds, each of which takes as long as ten of other fuzz tests.
    private static let rounds =
        ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) }.map { $0 / 10 } ?? 200
    private let scratch = Scratch()

    private func filled(_ name: String) throws -> [UInt8] {
        do {
            let storage = try Storage(at: scratch.path + "/" + name, migrations: [notes])
            try storage.write(changing: "Notes") { db in
                for number in 0..<300 {
                    try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["note \(number) of many"])
                }
            }
        }
        return scratch.bytes(of: name)
    }

    private func remove(_ name: String) {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(scratch.path + "/" + name + end) }
    }

    @Test("A corrupt backup is either refused without changes or restored to a sound database")
    func backups() throws {
        let sound = try filled("backup.sqlite")
        let path = scratch.path + "/corrupt.sqlite"
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("kept")
        var random = SystemRandomNumberGenerator()
        var (restored, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            let corrupt = Self.corrupted(sound, &random)
            remove("corrupt.sqlite")
            scratch.write(corrupt, to: "corrupt.sqlite")
            let before = try storage.texts()
            do throws(StorageError) {
                try storage.restore(from: path)
                restored += 1
                #expect(try storage.check().isSound)
            } catch {
                refused += 1
                #expect(error.code == "restoreRefused", "\(error)")
                #expect(!error.message.contains("\n"))
                #expect(try storage.texts() == before)
            }
            #expect(scratch.bytes(of: "corrupt.sqlite") == corrupt)
        }
        #expect(refused > 0)
        #expect(!scratch.names.contains { $0.hasSuffix(".tmp") })
        print("Backups restored: \(restored), refused: \(refused)")
    }

    @Test("A corrupt database is either refused or works as far as it is intact")
    func databases() throws {
        let sound = try filled("sound.sqlite")
        var random = SystemRandomNumberGenerator()
        var (opened, refused, unsound) = (0, 0, 0)
        for _ in 0..<Self.rounds {
            remove("people.sqlite")
            scratch.write(Self.corrupted(sound, &random), to: "people.sqlite")
            do {
                let storage = try Storage(at: scratch.database, migrations: [notes])
                opened += 1
                if try !storage.check().isSound { unsound += 1 }
                _ = try storage.texts()
                try storage.add("more")
                _ = try storage.stats()
                _ = try storage.optimize()
            } catch let error as RowDecodingError {
                // A missing value in a NOT NULL column.
                refused += 1
                #expect(!error.description.isEmpty)
            } catch let error as StorageError {
                refused += 1
                // Corruption may appear as an invalid statement, a read-only file or a violated constraint.
                #expect(!error.message.contains("\n"))
                #expect(error.category != .usage && error.category != .missing, "\(error)")
            }
        }
        #expect(opened > 0 && refused > 0)
        print("Databases opened: \(opened), of them unsound: \(unsound); refused: \(refused)")
    }

    private static func corrupted(_ sound: [UInt8], _ random: inout SystemRandomNumberGenerator) -> [UInt8] {
        var bytes = sound
        func below(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }
        func byte() -> UInt8 { .random(in: 0...255, using: &random) }
        let place = below(bytes.count)
        // The header of a page describes its layout.
        let page = place / 4096 * 4096
        switch below(8) {
        case 0: bytes[place] ^= 1 << UInt8(below(8))
        case 1: bytes[below(100)] = byte()
        case 2: bytes[100 + below(900)] = byte()
        case 3: bytes.removeSubrange(place...)
        case 4: for index in place..<min(bytes.count, place + 4096) { bytes[index] = 0 }
        case 5: for _ in 0..<40 { bytes[below(bytes.count)] = byte() }
        case 6: for _ in 0..<4 { bytes[page + below(64)] = byte() }
        default: bytes += (0...below(9000)).map { _ in byte() }
        }
        return bytes
    }
}
