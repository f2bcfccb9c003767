import Foundation
import GRDB
import SwitchboardStorage
import Testing

/// Damages databases and backups. Whatever they are then: nothing traps, an error says what to do, and a backup that is refused
/// changes nothing.
@Suite("Random files")
struct FileFuzzTests {
    private static let seconds = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap(Double.init) ?? 1
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

    /// WordSuffixes for a second; `Scripts/fuzz-snapshots SECONDS` wordSuffixes it for longer.
    @Test("A damaged backup is refused and changes nothing, or restored and sound")
    func backups() throws {
        let sound = try filled("backup.sqlite")
        let path = scratch.path + "/damaged.sqlite"
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("kept")
        var random = SystemRandomNumberGenerator()
        let end = ContinuousClock.now + .seconds(Self.seconds)
        var (restored, refused) = (0, 0)
        while ContinuousClock.now < end {
            let damaged = Self.damaged(sound, &random)
            remove("damaged.sqlite")
            scratch.write(damaged, to: "damaged.sqlite")
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
            #expect(scratch.bytes(of: "damaged.sqlite") == damaged)
        }
        #expect(refused > 0)
        #expect(!scratch.names.contains { $0.hasSuffix(".tmp") })
        print("Backups restored: \(restored), refused: \(refused)")
    }

    /// WordSuffixes for a second; `Scripts/fuzz-snapshots SECONDS` wordSuffixes it for longer.
    @Test("A damaged database is refused, or works as far as it is whole")
    func databases() throws {
        let sound = try filled("sound.sqlite")
        var random = SystemRandomNumberGenerator()
        let end = ContinuousClock.now + .seconds(Self.seconds)
        var (opened, refused, unsound) = (0, 0, 0)
        while ContinuousClock.now < end {
            remove("people.sqlite")
            scratch.write(Self.damaged(sound, &random), to: "people.sqlite")
            do {
                let storage = try Storage(at: scratch.database, migrations: [notes])
                opened += 1
                if try !storage.check().isSound { unsound += 1 }
                _ = try storage.texts()
                try storage.add("more")
                _ = try storage.stats()
                _ = try storage.optimize()
            } catch let error as RowDecodingError {
                // A value that is not there although the schema says so.
                refused += 1
                #expect(!error.description.isEmpty)
            } catch let error as StorageError {
                refused += 1
                // What is wrong may show as a statement that makes no sense, as a file that cannot be written, as a rule that is broken.
                #expect(!error.message.contains("\n"))
                #expect(error.category != .usage && error.category != .missing, "\(error)")
            }
        }
        #expect(opened > 0 && refused > 0)
        print("Databases opened: \(opened), of them unsound: \(unsound); refused: \(refused)")
    }

    private static func damaged(_ sound: [UInt8], _ random: inout SystemRandomNumberGenerator) -> [UInt8] {
        var bytes = sound
        func below(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }
        func byte() -> UInt8 { .random(in: 0...255, using: &random) }
        let place = below(bytes.count)
        // The head of a page says what is where.
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
