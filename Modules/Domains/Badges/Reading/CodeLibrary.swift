import CSwitchboardZBar
import CSwitchboardZXing

/// A library that finds QR codes in a grey picture.
package enum CodeLibrary: Sendable, CaseIterable {
    case zbar, zxing

    /// Returns the bytes of the distinct codes in a picture, or nil if the library is not installed.
    package func codes(in picture: GreyPicture) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        let isInstalled = withUnsafeMutablePointer(to: &found) { found in
            picture.pixels.withUnsafeBufferPointer { pixels -> Bool in
                guard let start = pixels.baseAddress, !pixels.isEmpty else { return true }
                let (width, height) = (UInt32(clamping: picture.width), UInt32(clamping: picture.height))
                return switch self {
                case .zbar: sb_zbar_read(start, width, height, found, take)
                case .zxing: sb_zxing_read(start, width, height, found, take)
                }
            }
        }
        return isInstalled ? found : nil
    }
}

/// Appends the bytes of a code to the array that `context` points to.
private func take(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ length: Int) {
    guard let found = context?.assumingMemoryBound(to: [[UInt8]].self), length > 0 else { return }
    let code = Array(UnsafeBufferPointer(start: bytes, count: length))
    if !found.pointee.contains(code) { found.pointee.append(code) }
}
