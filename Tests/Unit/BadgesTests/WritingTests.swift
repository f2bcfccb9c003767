import Foundation
import Testing

@testable import SwitchboardBadges

@Suite("Writing QR codes")
struct WritingTests {
    let text = "Łukasz\nlukasz@example.org"

    /// Renders the characters of a terminal as a picture, each four pixels wide and eight high.
    private func screen(_ text: String, light: UInt8, dark: UInt8) -> GreyPicture {
        let lines = text.split(separator: "\n").map(Array.init)
        let width = (lines.map(\.count).max() ?? 0) * 4 + 80
        var pixels: [UInt8] = []
        func addRows(_ count: Int, _ ink: (Int) -> Bool) {
            let row = (0..<width).map { $0 >= 40 && ink(($0 - 40) / 4) ? light : dark }
            for _ in 0..<count { pixels += row }
        }
        addRows(40) { _ in false }
        for line in lines {
            addRows(4) { $0 < line.count && (line[$0] == "█" || line[$0] == "▀") }
            addRows(4) { $0 < line.count && (line[$0] == "█" || line[$0] == "▄") }
        }
        addRows(40) { _ in false }
        return GreyPicture(width: width, height: pixels.count / width, pixels: pixels)
    }

    @Test("A code drawn with characters is readable on dark and light backgrounds")
    func terminals() throws {
        let code = try QRCode(text)
        let onDark = screen(code.text(.lightOnDark), light: 230, dark: 20)
        let onLight = screen(code.text(.darkOnLight), light: 20, dark: 235)
        // zbar reads both without our inverting pass.
        for picture in [onDark, onLight] {
            var time = Duration.seconds(60)
            #expect(try CodeLibrary.zbar.codes(in: picture, within: &time)?.map(\.payload) == [Array(text.utf8)])
        }
    }

    @Test("A code has a quiet zone and the size it reports")
    func quietZone() throws {
        let code = try QRCode(text)
        let lines = code.text(.darkOnLight).split(separator: "\n")
        #expect(lines.count == code.textSize.rows)
        #expect(lines.allSatisfy { $0.count == code.textSize.columns })
        #expect(lines[0].allSatisfy { $0 == " " } && lines[1].allSatisfy { $0 == " " })
        #expect(lines.allSatisfy { $0.hasPrefix("    ") && $0.hasSuffix("    ") })
        let coloured = code.text(.blackOnWhite).split(separator: "\n")
        #expect(coloured.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
        #expect(try code.png(moduleSize: 1).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test("An SVG image shows the same modules")
    func svg() throws {
        let code = try QRCode(text)
        let svg = code.svg(moduleSize: 3)
        let side = code.size + 8
        #expect(svg.contains("viewBox=\"0 0 \(side) \(side)\""))
        #expect(svg.contains("width=\"\(side * 3)\""))
        var pixels = [UInt8](repeating: 255, count: side * side)
        for part in svg.components(separatedBy: "M").dropFirst() {
            let numbers = part.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
            guard numbers.count >= 3 else { continue }
            for x in numbers[0]..<(numbers[0] + numbers[2]) { pixels[numbers[1] * side + x] = 0 }
        }
        #expect(GreyPicture(width: side, height: side, pixels: pixels) == code.picture(moduleSize: 1))
    }

    @Test("A text that is too long or empty is refused")
    func limits() throws {
        #expect(throws: QRCodeError.empty) { try QRCode("") }
        #expect(try QRCode(String(repeating: "ä", count: 1165)).size == 177)
        #expect(throws: QRCodeError.tooLong(bytes: 2332)) { try QRCode(String(repeating: "ä", count: 1166)) }
    }
}
