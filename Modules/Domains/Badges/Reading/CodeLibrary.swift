import CSwitchboardZBar
import CSwitchboardZXing

/// A library that finds QR codes in a grey picture.
package enum CodeLibrary: Sendable, CaseIterable {
    case zbar, zxing

    /// Returns the bytes of the distinct codes in a picture, or nil if the library is not installed.
    package func codes(in picture: GreyPicture) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        if picture.pixels.isEmpty { return found }
        let (width, height) = (UInt32(clamping: picture.width), UInt32(clamping: picture.height))
        // Safe: there is a byte for each pixel, and the pointers are only used during the call.
        let isInstalled = unsafe withUnsafeMutablePointer(to: &found) { found in
            switch self {
            case .zbar: unsafe sb_zbar_read(picture.pixels, width, height, found, take)
            case .zxing: unsafe sb_zxing_read(picture.pixels, width, height, found, take)
            }
        }
        return isInstalled ? found : nil
    }
}

/// Appends the bytes of a code to the array that `context` points to.
private func take(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ length: Int) {
    // Safe: called by the libraries above with their `context` and with the bytes of a code, which are copied.
    guard let found = unsafe context?.assumingMemoryBound(to: [[UInt8]].self), length > 0 else { return }
    let code = unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
    if unsafe !found.pointee.contains(code) { unsafe found.pointee.append(code) }
}
