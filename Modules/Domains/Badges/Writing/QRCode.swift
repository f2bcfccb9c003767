import CSwitchboardQREncode

/// Why a text cannot become a code.
public enum QRCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A code holds at most 2,331 bytes at the level of correction used.
    case tooLong(bytes: Int)
    /// There is nothing to write.
    case empty
    /// No memory, or a mistake in the program.
    case failed
    /// libqrencode is not installed.
    case noWriter
    /// libpng is not installed.
    case noPictureLibrary

    /// One line: what happened, and what to do.
    public var description: String {
        switch self {
        case .tooLong(let bytes): "\(bytes) bytes do not fit into a QR code; leave something out"
        case .empty: "there is nothing to write into a QR code"
        case .failed: "the QR code could not be made"
        case .noWriter: "nothing to write codes with is installed; install libqrencode4"
        case .noPictureLibrary: "nothing to write PNG pictures with is installed; install libpng16-16"
        }
    }
}

/// A QR code (ISO/IEC 18004): a square of light and dark modules.
///
/// Level M of error correction: 15 % of it may be hidden or dirty.
public struct QRCode: Hashable, Sendable {
    /// The width of the free border that readers need around a code, in modules.
    public static let quietZone = 4

    /// The modules on a side, 21 to 177, without the quiet zone.
    public let size: Int

    private let dark: [Bool]

    /// The code of a text, which is put in as UTF-8.
    public init(_ text: String) throws(QRCodeError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        var code = (size: 0, dark: [Bool]())
        switch withUnsafeMutablePointer(to: &code, { sb_qr_write(bytes, bytes.count, $0, take) }) {
        case SB_QR_OK: (size, dark) = code
        case SB_QR_TOO_LONG: throw .tooLong(bytes: bytes.count)
        case SB_QR_NO_LIBRARY: throw .noWriter
        default: throw .failed
        }
    }

    /// Whether a module is dark; those outside are light.
    public func isDark(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
    }
}

/// Copies a code to the place that `context` points to.
private func take(_ context: UnsafeMutableRawPointer?, _ size: UInt32, _ modules: UnsafePointer<UInt8>?) {
    guard let code = context?.assumingMemoryBound(to: (size: Int, dark: [Bool]).self) else { return }
    let size = Int(size)
    code.pointee = (size, UnsafeBufferPointer(start: modules, count: size * size).map { $0 & 1 == 1 })
}

// MARK: - Pictures

extension QRCode {
    /// The code as an SVG picture, black on white, with its quiet zone.
    ///
    /// - Parameter moduleSize: the width of a module in pixels; printers may scale the picture to any size.
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

    /// The code as a grey picture with its quiet zone.
    ///
    /// - Parameter moduleSize: the width of a module in pixels, 1 to 64.
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

    /// The code as a PNG file with its quiet zone.
    ///
    /// - Parameter moduleSize: the width of a module in pixels, 1 to 64.
    /// - Throws: ``QRCodeError/failed``, ``QRCodeError/noPictureLibrary``.
    public func png(moduleSize: Int = 8) throws(QRCodeError) -> [UInt8] {
        try picture(moduleSize: moduleSize).encoded()
    }
}
