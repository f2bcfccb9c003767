import SwitchboardBadges
import SwitchboardTerminalInterface

/// A picture of the QR code on a screen, with half blocks as pixels.
struct ScreenPicture {
    let picture: GreyPicture

    init(_ screen: Screen) {
        let scale = 6
        let width = screen.size.columns
        let height = screen.size.rows * 2
        var dark = [Bool](repeating: false, count: width * height)
        for (row, cells) in screen.rows.enumerated() {
            for (column, cell) in cells.enumerated() {
                guard cell.style.tone == .code else { continue }
                dark[row * 2 * width + column] = cell.text == "█" || cell.text == "▀"
                dark[(row * 2 + 1) * width + column] = cell.text == "█" || cell.text == "▄"
            }
        }
        var pixels = [UInt8](repeating: 255, count: width * height * scale * scale)
        for y in 0..<height * scale {
            for x in 0..<width * scale where dark[y / scale * width + x / scale] { pixels[y * width * scale + x] = 0 }
        }
        picture = GreyPicture(width: width * scale, height: height * scale, pixels: pixels)
    }
}
