import Foundation
import SwitchboardBadges
import SwitchboardTestFixtures

/// Measures how many distorted pictures of badges are read and how fast.
func measureBadges() throws {
    let pictures = try SampleBadges.pictures()
    let reader = BadgeReader()
    var totals = [0, 0, 0]
    var count = 0

    func isRead(_ payload: String, _ codes: [[UInt8]]?) -> Bool { codes?.contains(Array(payload.utf8)) ?? false }

    func codes(in picture: GreyPicture, _ library: CodeLibrary) throws -> [[UInt8]]? {
        var time = Duration.seconds(60)
        return try library.codes(in: picture, within: &time)?.map(\.payload)
    }

    print("| picture | zbar alone | zxing alone | ours | ms a picture |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for distortion in Distortion.all {
        var read = [0, 0, 0]
        var time = Duration.zero
        for (payload, picture) in pictures {
            let spoilt = distortion.apply(picture)
            if isRead(payload, try codes(in: spoilt, .zbar)) { read[0] += 1 }
            if isRead(payload, try codes(in: spoilt, .zxing)) { read[1] += 1 }
            let start = ContinuousClock.now
            let codes = try reader.read(spoilt)
            time += ContinuousClock.now - start
            if isRead(payload, codes.map(\.payload)) { read[2] += 1 }
        }
        for index in totals.indices { totals[index] += read[index] }
        count += pictures.count
        let milliseconds = time / .milliseconds(1) / Double(pictures.count)
        print("| \(distortion.name) | \(read[0]) | \(read[1]) | \(read[2]) | \(String(format: "%.1f", milliseconds)) |")
    }
    print("| **all of \(count)** | **\(totals[0])** | **\(totals[1])** | **\(totals[2])** | |")

    // Speed: whole files, as from a camera or a screen.
    let files = try pictures.map { try QRCode($0.payload).png(moduleSize: 8) }
    let sceneFiles = pictures.compactMap { $0.picture.inScene(scale: 0.45).png }
    let empty = GreyPicture(width: 1200, height: 900, pixels: []).negative.inScene(scale: 0.1)
    print("")
    print("| PNG files, one thread | pictures a second |")
    print("| --- | ---: |")
    for (name, files) in [
        ("the code alone, about 0.1 megapixels", files), ("in a scene, 1.1 megapixels", sceneFiles),
        ("a scene without a code, 1.1 megapixels", [empty.png ?? []]),
    ] {
        var rounds = 0
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(2) {
            for file in files { _ = try reader.read(file) }
            rounds += 1
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("| \(name) | \(String(format: "%.0f", Double(rounds * files.count) / seconds)) |")
    }
}
