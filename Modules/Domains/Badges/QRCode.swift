import CSwitchboardCodes
@_exported public import SwitchboardErrors

/// A QR code (ISO/IEC 18004): a square of light and dark modules.
///
/// Codes use error correction level M: up to 15 % of the code may be covered or dirty.
public struct QRCode: Hashable, Sendable {
    /// The width of the required border around a code, in modules.
    public static let quietZone = 4

    /// The number of modules per side, 21 to 177, without the quiet zone.
    public let size: Int

    private let dark: [Bool]

    /// Encodes a text as UTF-8.
    public init(_ text: String) throws(QRCodeError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        var code = (size: 0, dark: [Bool]())
        // Safe: the pointers are only used during the call.
        switch unsafe withUnsafeMutablePointer(to: &code, { unsafe sb_qr_write(bytes, bytes.count, $0, take) }) {
        case SB_QR_OK: (size, dark) = code
        case SB_QR_TOO_LONG: throw .tooLong(bytes: bytes.count)
        case SB_QR_NO_LIBRARY: throw .noWriter
        default: throw .failed
        }
    }

    /// Returns `true` if a module is dark. Modules outside the code are light.
    public func isDark(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
    }
}

/// Copies a code to the memory that `context` points to.
private func take(_ context: UnsafeMutableRawPointer?, _ size: UInt32, _ modules: UnsafePointer<UInt8>?) {
    // Safe: called by sb_qr_write with the `context` above and with a byte for each module, which are copied.
    guard let code = unsafe context?.assumingMemoryBound(to: (size: Int, dark: [Bool]).self) else { return }
    let size = Int(size)
    let dark = unsafe UnsafeBufferPointer(start: modules, count: size * size).map { $0 & 1 == 1 }
    unsafe code.pointee = (size, dark)
}

// MARK: - Pictures

extension QRCode {
    /// Returns the code as an SVG image, black on white, with its quiet zone.
    ///
    /// - Parameter moduleSize: The width of a module in pixels. The image can be scaled to any size.
    public func svg(moduleSize: Int = 8) -> String {
        let side = size + 2 * QRCode.quietZone
        let pixels = side * max(1, moduleSize)
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                guard isDark(x: x, y: y) else {
                    x += 1
                    continue
                }
                let start = x
                while isDark(x: x, y: y) { x += 1 }
                path += "M\(start + QRCode.quietZone) \(y + QRCode.quietZone)h\(x - start)v1h-\(x - start)z"
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(pixels)" height="\(pixels)" viewBox="0 0 \(side) \(side)" \
            shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }

    /// Returns the code as a grayscale picture with its quiet zone.
    ///
    /// - Parameter moduleSize: The width of a module in pixels, 1 to 64.
    public func picture(moduleSize: Int = 8) -> GreyPicture {
        let scale = min(max(moduleSize, 1), 64)
        let side = (size + 2 * QRCode.quietZone) * scale
        var pixels = [UInt8](repeating: 255, count: side * side)
        for y in 0..<side {
            for x in 0..<side where isDark(x: x / scale - QRCode.quietZone, y: y / scale - QRCode.quietZone) {
                pixels[y * side + x] = 0
            }
        }
        return GreyPicture(width: side, height: side, pixels: pixels)
    }

    /// Returns the code as a PNG file with its quiet zone.
    ///
    /// - Parameter moduleSize: The width of a module in pixels, 1 to 64.
    /// - Throws: ``QRCodeError/failed``, ``QRCodeError/noPictureLibrary``.
    public func png(moduleSize: Int = 8) throws(QRCodeError) -> [UInt8] {
        try picture(moduleSize: moduleSize).encoded()
    }
}

// MARK: - Text

// A character shows two modules, one above the other, because characters are about twice as high as wide.

extension QRCode {
    /// A style for drawing a code with characters.
    public enum TextStyle: Sendable {
        /// Black on white with terminal escape sequences (ISO 6429, 256 colors), independent of the terminal's colors.
        case blackOnWhite
        /// Without escape sequences, for light text on a dark background: draws the light modules.
        case lightOnDark
        /// Without escape sequences, for dark text on a light background: draws the dark modules.
        case darkOnLight
    }

    /// The number of columns and rows of ``text(_:)``.
    public var textSize: (columns: Int, rows: Int) {
        let side = size + 2 * QRCode.quietZone
        return (side, (side + 1) / 2)
    }

    /// Returns the code in half blocks with its quiet zone. A line shows two rows of modules.
    public func text(_ style: TextStyle) -> String {
        let range = -QRCode.quietZone..<(size + QRCode.quietZone)
        var text = ""
        for y in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            if case .blackOnWhite = style { text += "\u{1B}[38;5;16;48;5;231m" }
            for x in range {
                let (upper, lower) = (isDark(x: x, y: y), isDark(x: x, y: y + 1))
                switch style {
                case .blackOnWhite, .darkOnLight: text += QRCode.block(upper, lower)
                case .lightOnDark: text += QRCode.block(!upper, y + 1 < range.upperBound && !lower)
                }
            }
            if case .blackOnWhite = style { text += "\u{1B}[0m" }
            text += "\n"
        }
        return text
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}

// MARK: - Errors

/// An error that occurs while encoding a text as a QR code.
public enum QRCodeError: CodedError, Hashable {
    /// The text exceeds the 2,331 bytes that a code holds at the error correction level used.
    case tooLong(bytes: Int)
    /// The text is empty.
    case empty
    /// Out of memory, or a bug in the program.
    case failed
    /// libqrencode is not installed.
    case noWriter
    /// libpng is not installed.
    case noPictureLibrary

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .tooLong(let bytes):
            .init("noCode", .usage, "\(bytes) bytes do not fit into a QR code; shorten the text")
        case .empty: .init("noCode", .usage, "a QR code needs text; give at least one character")
        case .failed: .init("noCode", .internalError, "cannot create the QR code; try again")
        case .noWriter: .init("noCode", .unavailable, "libqrencode is missing; install libqrencode4")
        case .noPictureLibrary: .init("noCode", .unavailable, "libpng is missing; install libpng16-16")
        }
    }
}
