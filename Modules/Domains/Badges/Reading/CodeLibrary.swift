import CSwitchboardForkedReader
import CSwitchboardZBar
import CSwitchboardZXing

/// A library that finds QR codes in a grayscale picture.
package enum CodeLibrary: Sendable, CaseIterable {
    case zbar, zxing

    /// The codes found so far, and the cancellation check of the caller.
    private struct Search {
        var found: [[UInt8]] = []
        let isCancelled: () -> Bool
    }

    /// Returns the bytes of the distinct codes in a picture, or nil if the library is not installed.
    ///
    /// - Parameters:
    ///   - picture: The picture to search.
    ///   - time: The processor time allowed for the search, reduced by the time spent; zero if the search did not
    ///     finish.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: `CancellationError`, ``BadgeReadingError/noMemory``.
    package func codes(
        in picture: GreyPicture, within time: inout Duration, isCancelled: @escaping () -> Bool = { false }
    ) throws -> [[UInt8]]? {
        guard isInstalled else { return nil }
        if picture.pixels.isEmpty { return [] }
        let (width, height) = (UInt32(clamping: picture.width), UInt32(clamping: picture.height))
        var search = Search(isCancelled: isCancelled)
        var spent: Int64 = 0
        let limit = Int64(time / .milliseconds(1))
        // Safe: there is a byte for each pixel, and the pointers are only used during the call, on this thread.
        let status = unsafe withUnsafeMutablePointer(to: &search) { search in
            switch self {
            case .zbar:
                unsafe sb_forked_read(
                    sb_zbar_read, picture.pixels, width, height, limit, search, Self.take, Self.isCancelled, &spent)
            case .zxing:
                unsafe sb_forked_read(
                    sb_zxing_read, picture.pixels, width, height, limit, search, Self.take, Self.isCancelled, &spent)
            }
        }
        time -= .milliseconds(spent)
        switch status {
        case SB_FORKED_CANCELLED: throw CancellationError()
        case SB_FORKED_NO_MEMORY: throw BadgeReadingError.noMemory
        case SB_FORKED_OUT_OF_TIME: time = .zero
        // The library crashed or ran out of memory. The other one may still read the picture.
        default: break
        }
        return search.found
    }

    private var isInstalled: Bool {
        switch self {
        case .zbar: sb_zbar_load()
        case .zxing: sb_zxing_load()
        }
    }

    /// Adds the bytes of a code to the search that `context` points to.
    private static let take: sb_forked_found = { context, bytes, length in
        // Safe: called by `sb_forked_read` with its `context` and with the bytes of a code, which are copied.
        guard let search = unsafe context?.assumingMemoryBound(to: Search.self), length > 0 else { return }
        let code = unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
        if unsafe !search.pointee.found.contains(code) { unsafe search.pointee.found.append(code) }
    }

    private static let isCancelled: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
        // Safe: called by `sb_forked_read` with its `context`.
        unsafe context?.assumingMemoryBound(to: Search.self).pointee.isCancelled() ?? true
    }
}
