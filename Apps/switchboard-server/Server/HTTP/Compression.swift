import CSwitchboardZlib
import HTTPTypes
import NIOCore

/// Gzip for answers that are worth it.
enum Compression {
    /// Less than this is sent as it is: it fits into one packet anyway.
    private static let fewestBytes = 1_024
    private static let types: Set<String> = [
        "application/json", "application/problem+json", "text/html", "text/css", "text/javascript", "image/svg+xml",
        "application/manifest+json", "text/calendar", "text/plain",
    ]

    /// Packs the body of an answer if the client can unpack it and it gets smaller.
    static func apply(to answer: inout Answer, accepting accepted: String?) {
        guard case .bytes(let buffer) = answer.body, answer.fields[.contentEncoding] == nil,
            let type = answer.fields[.contentType]?.prefix(while: { $0 != ";" }), types.contains(String(type)),
            buffer.readableBytes >= fewestBytes
        else { return }
        answer.fields[.vary] = "Accept-Encoding"
        guard let accepted, accepts(accepted), let packed = pack(buffer), packed.readableBytes < buffer.readableBytes
        else { return }
        answer.fields[.contentEncoding] = "gzip"
        answer.body = .bytes(packed)
    }

    /// Whether gzip is among the codings that are accepted (RFC 9110, section 12.5.3).
    static func accepts(_ field: String) -> Bool {
        field.split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let coding = pieces.first, coding == "gzip" || coding == "*" else { return false }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight ?? 1 > 0
        }
    }

    /// Bytes as one gzip member; nil if zlib has no memory. Level 1: three quarters of what level 9 saves in a fifth of its time.
    static func pack(_ buffer: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let count = Int(deflateBound(&stream, UInt(buffer.readableBytes)))
        var packed = ByteBuffer()
        var isWhole = false
        packed.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            buffer.withUnsafeReadableBytes { source in
                // zlib reads `next_in` only, although its type says otherwise.
                stream.next_in = UnsafeMutablePointer(
                    mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(target.count)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            return isWhole ? target.count - Int(stream.avail_out) : 0
        }
        return isWhole ? packed : nil
    }
}
