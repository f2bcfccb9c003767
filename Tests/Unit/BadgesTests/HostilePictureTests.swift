import CSwitchboardCodes
import Foundation
import Glibc
import SwitchboardTestFixtures
import Testing

@testable import SwitchboardBadges

/// Pictures that are meant to take much time or memory, and large ones that are not.
@Suite("Hostile and large pictures") struct HostilePictureTests {
    // MARK: - Size

    private static func refusal(of file: [UInt8]) -> BadgeReadingError? {
        do {
            _ = try GreyPicture(file: file)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A file with a side that is too long is refused with its limit",
        arguments: [(60_000, 10), (10, 60_000), (12_001, 1), (1, 12_001)])
    func longSide(width: Int, height: Int) throws {
        let file = try #require(GreyPicture(width: width, height: height, pixels: []).png)
        let refusal = Self.refusal(of: file)
        #expect(refusal == .tooLarge(width: width, height: height, maximumPixels: BadgeReader.maximumPixels))
        #expect(refusal?.message.contains("limit of 12000 pixels for a side; make it smaller") == true)
    }

    @Test("A file with the longest side is read", arguments: [(12_000, 1), (1, 12_000)])
    func longestSide(width: Int, height: Int) throws {
        let file = try #require(GreyPicture(width: width, height: height, pixels: []).png)
        #expect(try BadgeReader().read(file).isEmpty)
    }

    @Test(
        "The sides of other formats are limited too",
        arguments: [
            // The bytes before the size, the distance of the size from them, and the size of 12,016 by 16 pixels.
            ("grey.jpg", [0xFF, 0xC0], 5, [0, 16, 0x2E, 0xF0]),
            ("code.gif", Array("GIF8".utf8), 6, [0xF0, 0x2E, 16, 0]),
            ("code.heic", Array("ispe".utf8), 8, [0, 0, 0x2E, 0xF0, 0, 0, 0, 16]),
            ("lossy.webp", [0x9D, 0x01, 0x2A], 3, [0xF0, 0x2E, 16, 0]),
        ] as [(String, [UInt8], Int, [UInt8])])
    func otherFormats(name: String, mark: [UInt8], distance: Int, size: [UInt8]) throws {
        let url = try #require(Bundle.module.url(forResource: "Resources/" + name, withExtension: nil))
        var file = [UInt8](try Data(contentsOf: url))
        let found = file.firstRange(of: mark)
        let place = try #require(found).lowerBound + distance
        file.replaceSubrange(place..<place + size.count, with: size)
        guard case .tooLarge(let width, _, _) = Self.refusal(of: file) else {
            Issue.record("not refused for its size: \(String(describing: Self.refusal(of: file)))")
            return
        }
        #expect(width == 12_016)
    }

    @Test(
        "A code is read in the pictures of large cameras",
        arguments: [(8_160, 6_120), (6_120, 8_160), (9_216, 5_184), (10_800, 4_629), (12_000, 2_000)])
    func largeCameras(width: Int, height: Int) throws {
        let code = try QRCode("ana@example.org").picture(moduleSize: 40)
        var pixels = [UInt8](repeating: 190, count: width * height)
        for row in 0..<code.height {
            let place = (row + height / 3) * width + width / 3
            pixels.replaceSubrange(
                place..<place + code.width, with: code.pixels[row * code.width..<(row + 1) * code.width])
        }
        let file = try #require(GreyPicture(width: width, height: height, pixels: pixels).png)
        #expect(try BadgeReader().read(file).map(\.text) == ["ana@example.org"])
    }

    // MARK: - Time

    /// One keeps zbar busy and the other zxing-cpp.
    static let floods = [(400, 300, 1), (66, 50, 3)]

    @Test("A picture that would keep the libraries busy for hours is given up, and says so", arguments: floods)
    func outOfTime(columns: Int, rows: Int, moduleSize: Int) throws {
        let picture = GreyPicture.finderPatterns(columns: columns, rows: rows, moduleSize: moduleSize)
        let file = try #require(picture.png)
        #expect(throws: BadgeReadingError.outOfTime) { try BadgeReader().read(file) }
        #expect(BadgeReadingError.outOfTime.category == .malformed)
    }

    @Test("A code that was found before the time was up is kept")
    func foundInTime() throws {
        let flood = GreyPicture.finderPatterns(columns: 66, rows: 50, moduleSize: 3)
        let code = try QRCode("ana@example.org").picture(moduleSize: 6)
        var pixels = flood.pixels
        for row in 0..<code.height {
            let place = (row + 300) * flood.width + 300
            pixels.replaceSubrange(
                place..<place + code.width, with: code.pixels[row * code.width..<(row + 1) * code.width])
        }
        let picture = GreyPicture(width: flood.width, height: flood.height, pixels: pixels)
        #expect(try BadgeReader().read(picture).map(\.text) == ["ana@example.org"])
    }

    @Test("A reader without time finds nothing and does not say that there is no code")
    func noTime() throws {
        let picture = try QRCode("ana@example.org").picture(moduleSize: 4)
        #expect(throws: BadgeReadingError.outOfTime) { try BadgeReader(timeLimit: .zero).read(picture) }
    }

    @Test("A cancelled reader stops within an attempt and between them", arguments: [1, 2, 3, 5])
    func cancellation(polls: Int) throws {
        // Both take longer than this test may: the first attempt, and all attempts together.
        let flood = GreyPicture.finderPatterns(columns: 400, rows: 300, moduleSize: 1)
        let empty = GreyPicture(width: 400, height: 300, pixels: [])
        for picture in [flood, empty] {
            var count = 0
            #expect(throws: CancellationError.self) {
                try BadgeReader(timeLimit: .seconds(86_400)).read(picture) {
                    count += 1
                    return count >= polls
                }
            }
            #expect(count == polls)
        }
    }

    // MARK: - The forked process

    private final class Received {
        var codes: [[UInt8]] = []
    }

    /// Calls a reader in a forked process with 200 ms of processor time.
    private func call(_ reader: sb_forked_reader) -> (status: sb_forked_status, codes: [[UInt8]], spent: Int64) {
        let received = Received()
        var spent: Int64 = 0
        let status = withExtendedLifetime(received) {
            sb_forked_read(
                reader, [0], 1, 1, 200, Unmanaged.passUnretained(received).toOpaque(),
                { context, code in
                    guard let context, let code = code?.pointee else { return }
                    Unmanaged<Received>.fromOpaque(context).takeUnretainedValue().codes
                        .append(Array(UnsafeBufferPointer(start: code.bytes, count: code.length)))
                }, { _ in false }, &spent)
        }
        return (status, received.codes, spent)
    }

    private static func report(_ bytes: [UInt8], _ context: UnsafeMutableRawPointer?, _ found: sb_code_found?) {
        bytes.withUnsafeBufferPointer { bytes in
            var code = sb_code()
            (code.bytes, code.length, code.parts) = (bytes.baseAddress, bytes.count, 1)
            found?(context, &code)
        }
    }

    @Test("The codes that a reader finds arrive in order, whatever their size")
    func codes() {
        let result = call { _, _, _, context, found in
            Self.report([7], context, found)
            Self.report([UInt8](repeating: 9, count: 300_000), context, found)
            Self.report([], context, found)
            return true
        }
        #expect(result.status == SB_FORKED_DONE)
        #expect(result.codes == [[7], Array(repeating: 9, count: 300_000), []])
    }

    @Test("A reader that never ends is stopped when its processor time is up, and what it found is kept")
    func endless() {
        let result = call { _, _, _, context, found in
            Self.report([1, 2, 3], context, found)
            while true {}
        }
        #expect(result.status == SB_FORKED_OUT_OF_TIME && result.codes == [[1, 2, 3]])
        #expect((150...2_000).contains(result.spent), "\(result.spent)")
    }

    @Test("A reader that crashes or fails does not end the program, nor one that finds too much")
    func crashes() {
        #expect(call { _, _, _, _, _ in abort() }.status == SB_FORKED_FAILED)
        #expect(call { _, _, _, _, _ in false }.status == SB_FORKED_FAILED)
        let flood = call { _, _, _, context, found in
            let code = [UInt8](repeating: 1, count: 1 << 20)
            while true { Self.report(code, context, found) }
        }
        #expect(flood.status == SB_FORKED_FAILED && flood.codes.count == 3)
    }

    @Test("A code is read while another thread loads libraries")
    func loadingLibraries() async throws {
        let picture = try QRCode("ana@example.org").picture(moduleSize: 4)
        let loading = Task.detached {
            while !Task.isCancelled {
                if let library = dlopen("libpng16.so.16", RTLD_LAZY | RTLD_LOCAL) { dlclose(library) }
            }
        }
        defer { loading.cancel() }
        for _ in 0..<50 {
            var time = Duration.seconds(10)
            let codes = try CodeLibrary.zbar.codes(in: picture, within: &time)
            #expect(codes?.count == 1)
            if codes?.count != 1 { break }
        }
    }

    @Test("A forked process has no open file of the program")
    func files() {
        let result = call { _, _, _, context, found in
            var open = UInt8(0)
            for descriptor in Int32(3)..<1_024 where fcntl(descriptor, F_GETFD) >= 0 { open = 1 }
            Self.report([open], context, found)
            return true
        }
        #expect(result.status == SB_FORKED_DONE && result.codes == [[0]])
    }
}
