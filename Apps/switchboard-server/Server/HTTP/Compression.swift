import CSwitchboardZlib
import HTTPTypes
import NIOCore

// Each `unsafe` is safe because zlib stays within the input and the output, whose sizes it is given and which live
// during the call. The stream is initialized once and ended once.

/// Gzip compression of responses.
enum Compression {
    /// The minimum size of a body to compress; smaller ones fit into one packet anyway.
    private static let minimumByteCount = 1_024
    private static let types: Set<String> = [
        "application/json", "application/problem+json", "text/html", "text/css", "text/javascript", "image/svg+xml",
        "application/manifest+json", "text/calendar", "text/plain",
    ]

    /// Compresses the body if the client accepts gzip and the result is smaller.
    static func apply(to response: inout EndpointResponse, accepting accepted: String?) {
        guard case .bytes(let buffer) = response.body, response.fields[.contentEncoding] == nil,
            let type = response.fields[.contentType]?.prefix(while: { $0 != ";" }), types.contains(String(type)),
            buffer.readableBytes >= minimumByteCount
        else { return }
        response.fields[.vary] = "Accept-Encoding"
        guard let accepted, accepts(accepted), let packed = pack(buffer), packed.readableBytes < buffer.readableBytes
        else { return }
        response.fields[.contentEncoding] = "gzip"
        response.body = .bytes(packed)
    }

    /// Returns whether an `Accept-Encoding` field allows gzip (RFC 9110, section 12.5.3).
    static func accepts(_ field: String) -> Bool {
        field.split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let coding = pieces.first, coding == "gzip" || coding == "*" else { return false }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight ?? 1 > 0
        }
    }

    /// Compresses bytes into one gzip member; nil if zlib runs out of memory.
    ///
    /// Level 1 saves three quarters of what level 9 saves in a fifth of the time.
    static func pack(_ buffer: ByteBuffer) -> ByteBuffer? {
        var stream = unsafe z_stream()
        guard
            unsafe deflateInit2_(
                &stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let count = unsafe Int(deflateBound(&stream, UInt(buffer.readableBytes)))
        var packed = ByteBuffer()
        var isWhole = false
        unsafe packed.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            unsafe buffer.withUnsafeReadableBytes { source in
                // zlib only reads from `next_in`, although its type is mutable.
                unsafe stream.next_in = UnsafeMutablePointer(
                    mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe stream.avail_out = UInt32(target.count)
                isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            return unsafe isWhole ? target.count - Int(stream.avail_out) : 0
        }
        return isWhole ? packed : nil
    }
}
