import Foundation
import SwitchboardBadges
import Testing

/// Encoders of other projects, which make the pictures of these tests. `Scripts/prepare` installs them.
enum Encoders {
    struct Failure: Error {
        let text: String
    }

    /// Returns the PNG file that a program writes to its standard output.
    ///
    /// - Parameter input: The standard input, a file whose name replaces the argument `INPUT`.
    static func png(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments.map { $0.replacingOccurrences(of: "INPUT", with: file.path) }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = try FileHandle(forReadingFrom: file)
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard !bytes.isEmpty else { throw Failure(text: String(decoding: message, as: UTF8.self)) }
        return Array(bytes)
    }

    /// Returns a code by zint, with a light border.
    static func zint(_ kind: Int, _ text: String, _ options: String...) throws -> [UInt8] {
        try png(
            "zint",
            [
                "--barcode=\(kind)", "--data=" + text, "--direct", "--filetype=PNG", "--scale=3", "--whitesp=5",
                "--vwhitesp=5",
            ] + options)
    }

    /// Returns a QR code by qrencode.
    static func qrencode(_ bytes: [UInt8], _ options: String...) throws -> [UInt8] {
        try png("qrencode", ["--output=-", "--size=4"] + options, input: bytes)
    }

    /// Returns a Data Matrix code by dmtxwrite.
    static func dataMatrix(_ bytes: [UInt8]) throws -> [UInt8] {
        try png("dmtxwrite", ["--format=PNG", "--encoding=b"], input: bytes)
    }
}

extension GreyPicture {
    /// Returns pictures side by side on a ground of the given brightness.
    static func row(_ pictures: [GreyPicture], ground: UInt8 = 255, gap: Int = 12) -> GreyPicture {
        let height = (pictures.map(\.height).max() ?? 0) + 2 * gap
        let width = pictures.reduce(gap) { $0 + $1.width + gap }
        var pixels = [UInt8](repeating: ground, count: width * height)
        var left = gap
        for picture in pictures {
            for y in 0..<picture.height {
                let place = (y + gap) * width + left
                pixels.replaceSubrange(
                    place..<place + picture.width, with: picture.pixels[y * picture.width..<(y + 1) * picture.width])
            }
            left += picture.width + gap
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }

    /// The pictures of PNG files side by side.
    static func row(_ files: [[UInt8]]) throws -> GreyPicture { row(try files.map { try GreyPicture(file: $0) }) }
}
