import Foundation
import Glibc
import SwitchboardStorage
import Testing

/// A derived file is sealed as long as it is as it was written.
@Suite("Derived files")
struct DerivedFileTests {
    private let scratch = Scratch()

    /// Writes a file and returns it with its name in the folder.
    private func written(_ bytes: [UInt8]) throws -> (file: DerivedFile, name: String) {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        let file = try #require(DerivedFile(named: "notes.index", of: storage))
        try file.replace(with: bytes.span.bytes)
        return (file, "people.index/notes.index")
    }

    private func bytes(of file: DerivedFile) throws -> [UInt8] {
        let mapped = try #require(file.map())
        return withExtendedLifetime(mapped) { Array(mapped.bytes) }
    }

    private func isSealed(_ file: DerivedFile) -> Bool? { file.map()?.isSealed }

    @Test("are sealed when they are written")
    func writing() throws {
        for count in [1, 63, 64, 65, 10_000] {
            #expect(try isSealed(written([UInt8](repeating: 7, count: count)).file) == true)
        }
    }

    @Test("are not sealed after a change of a byte, beyond the first ones as well")
    func changes() throws {
        for offset in [0, 63, 64, 9_999] {
            let (file, name) = try written([UInt8](repeating: 7, count: 10_000))
            let descriptor = open(scratch.path + "/" + name, O_WRONLY)
            #expect(pwrite(descriptor, [8], 1, off_t(offset)) == 1)
            close(descriptor)
            #expect(isSealed(file) == false)
        }
    }

    @Test("are not sealed if another file replaces them, is longer or has only their time")
    func replacement() throws {
        let bytes = [UInt8](repeating: 7, count: 10_000)
        let (file, name) = try written(bytes)
        let time = scratch.state(of: name)
        scratch.write(bytes, to: name)
        #expect(isSealed(file) == false)
        // The time of another content.
        scratch.write([8] + bytes, to: name)
        let descriptor = open(scratch.path + "/" + name, O_WRONLY)
        let times = [timespec](
            repeating: timespec(tv_sec: time.seconds, tv_nsec: time.nanoseconds), count: 2)
        #expect(futimens(descriptor, times) == 0)
        close(descriptor)
        #expect(isSealed(file) == false)
    }

    @Test("use the space of a killed process again, but not that of a running one")
    func leftovers() throws {
        let (file, _) = try written([1, 2, 3])
        let folder = scratch.path + "/people.index/"
        // What a killed process has left.
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: folder + "notes.index.1.tmp"))
        try file.replace { one in
            try one.write([UInt8]([4, 5]).span.bytes, at: 0)
            try file.replace { two in
                try two.write([UInt8]([6]).span.bytes, at: 0)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                #expect(names == ["notes.index", "notes.index.1.tmp", "notes.index.2.tmp"])
            }
            #expect(try bytes(of: file) == [6])
        }
        #expect(try bytes(of: file) == [4, 5] && isSealed(file) == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.index"])
    }

    @Test("are written in pieces, and keep the old content after an error")
    func pieces() throws {
        struct Interrupted: Error {}
        let (file, _) = try written([1, 2, 3])
        #expect(throws: Interrupted.self) {
            try file.replace { writer in
                try writer.write([UInt8](repeating: 9, count: 200_000).span.bytes, at: 0)
                throw Interrupted()
            }
        }
        let folder = scratch.path + "/people.index"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.index"])
        #expect(try bytes(of: file) == [1, 2, 3] && isSealed(file) == true)
        try file.replace { writer in
            try writer.write([UInt8](repeating: 9, count: 100_000).span.bytes, at: 64)
            try writer.write([UInt8](repeating: 8, count: 64).span.bytes, at: 0)
        }
        let expected = [UInt8](repeating: 8, count: 64) + [UInt8](repeating: 9, count: 100_000)
        #expect(try bytes(of: file) == expected && isSealed(file) == true)
    }
}
