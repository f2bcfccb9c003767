import Foundation
import SwitchboardTestFixtures
import Testing

@testable import SwitchboardBadges

@Suite("Reading codes from pictures")
struct ReadingTests {
    private static func file(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Resources/" + name, withExtension: nil))
        return [UInt8](try Data(contentsOf: url))
    }

    /// The distortions that no pass reads for every badge; see docs/prospects.md.
    static let unreadable: Set<String> = ["modules of 5 pixels, blurred, sigma 4", "from the side"]

    @Test("Distorted codes are read", arguments: Distortion.all.map(\.name))
    func distorted(_ name: String) throws {
        guard !Self.unreadable.contains(name), let index = Distortion.all.firstIndex(where: { $0.name == name }) else {
            return
        }
        let pictures = try SampleBadges.pictures()
        let (payload, picture) = pictures[index % pictures.count]
        let codes = try BadgeReader().read(Distortion.all[index].apply(picture))
        #expect(codes.map(\.payload) == [Array(payload.utf8)])
    }

    @Test("Names in every script are read from PNG files", arguments: SampleBadges.people)
    func names(_ badge: Badge) throws {
        let codes = try BadgeReader().read(QRCode(badge.vCard).png(moduleSize: 4))
        #expect(try codes.map { try $0.badge.get() } == [badge])
    }

    @Test(
        "Files of other programs are read",
        arguments: [
            "grey.jpg", "progressive.jpg", "cmyk.jpg", "palette.png", "transparent.png", "code.heic", "lossy.webp",
            "lossless.webp", "transparent.webp", "code.gif", "interlaced.gif",
        ])
    func otherMakers(_ name: String) throws {
        let codes = try BadgeReader().read(Self.file(name))
        #expect(codes.map(\.text) == ["José Ñandú\njose@example.org"])
    }

    @Test("Several codes in one picture are read")
    func several() throws {
        let one = try QRCode("ana@example.org").picture(moduleSize: 5)
        let two = try QRCode("https://example.org").picture(moduleSize: 4).turned(by: 20)
        let height = max(one.height, two.height)
        var pixels: [UInt8] = []
        for y in 0..<height {
            for picture in [one, two] {
                let rows = 0..<picture.height
                pixels += rows.contains(y) ? picture.pixels[(y * picture.width)..<((y + 1) * picture.width)] : []
                if !rows.contains(y) { pixels += Array(repeating: 255, count: picture.width) }
            }
        }
        let codes = try BadgeReader().read(GreyPicture(width: one.width + two.width, height: height, pixels: pixels))
        #expect(Set(codes.map(\.text)) == ["ana@example.org", "https://example.org"])
        #expect(codes.count { (try? $0.badge.get()) != nil } == 1)
    }

    @Test("A picture without a code has no codes and no error")
    func noCode() throws {
        #expect(try BadgeReader().read(Self.file("empty.png")).isEmpty)
        #expect(try BadgeReader().read(GreyPicture(width: 0, height: 0, pixels: [])).isEmpty)
        #expect(try BadgeReader().read(GreyPicture(width: 1, height: 1, pixels: [0])).isEmpty)
        #expect(try BadgeReader().read(GreyPicture(width: 3, height: 400, pixels: [])).isEmpty)
    }

    @Test("A picture that is too large is refused before it is decoded")
    func tooLarge() throws {
        #expect(
            throws: BadgeReadingError.tooLarge(width: 10_000, height: 10_000, maximumPixels: BadgeReader.maximumPixels)
        ) {
            try BadgeReader().read(Self.file("hundred-megapixels.png"))
        }
        #expect(
            throws: BadgeReadingError.tooLarge(width: 5_000, height: 5_000, maximumPixels: BadgeReader.maximumPixels)
        ) {
            try BadgeReader().read(Self.file("large-progressive.jpg"))
        }
    }

    @Test("The size of a HEIC, WebP or GIF file is checked before its pixels are decoded")
    func tooLargeForPhones() throws {
        // The property "ispe" of a HEIC file has the width and height, each of four bytes.
        var heic = try Self.file("code.heic")
        let name = try #require(heic.indices.first { heic[$0...].starts(with: "ispe".utf8) })
        heic.replaceSubrange(name + 8..<name + 16, with: [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10])
        // A header of 10,000 by 10,000 pixels and a frame of that size.
        let size: [UInt8] = [0x10, 0x27, 0x10, 0x27]
        let gif = Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0] + size + [0, 2]
        for file in [heic, gif] {
            #expect(
                throws: BadgeReadingError.tooLarge(
                    width: 10_000, height: 10_000, maximumPixels: BadgeReader.maximumPixels)
            ) { try GreyPicture(file: file) }
        }
        // A lossless picture may have a third of the pixels, a lossy one all of them.
        let limit = 148 * 148 + 1
        #expect(throws: BadgeReadingError.tooLarge(width: 148, height: 148, maximumPixels: limit)) {
            try GreyPicture(file: Self.file("lossless.webp"), maximumPixels: limit)
        }
        #expect(try GreyPicture(file: Self.file("lossy.webp"), maximumPixels: limit).width == 148)
    }

    @Test("Other files are refused, and truncated or corrupt pictures do not trap")
    func noPicture() throws {
        for bytes in [[], [0x89], Array("BEGIN:VCARD".utf8), Array("%PDF-1.4".utf8)] {
            #expect(throws: BadgeReadingError.notAPicture) { try BadgeReader().read(bytes) }
        }
        let names = [
            "grey.jpg", "progressive.jpg", "palette.png", "code.heic", "lossy.webp", "lossless.webp",
            "transparent.webp",
            "code.gif", "interlaced.gif",
        ]
        for name in names {
            let whole = try Self.file(name)
            for length in stride(from: 8, to: whole.count, by: max(1, whole.count / 40)) {
                // A truncated JPEG may still contain the code; a truncated PNG is an error.
                _ = try? GreyPicture(file: Array(whole[..<length]))
            }
            for place in stride(from: 8, to: whole.count, by: max(1, whole.count / 60)) {
                var changed = whole
                changed[place] ^= 0x55
                _ = try? GreyPicture(file: changed)
            }
        }
        for name in ["palette.png", "code.heic", "transparent.webp", "code.gif"] {
            #expect(throws: BadgeReadingError.self) { try GreyPicture(file: Array(Self.file(name).prefix(200))) }
        }
    }
}
