import CSwitchboardZlib
package import Foundation

// Each `unsafe` is safe because zlib stays within the input and the output, whose sizes it is given and which live
// during the call. The stream is initialized once and ended once.

/// Compresses and decompresses gzip files (RFC 1952) of one member through zlib.
///
/// The popular list is such a file, and the server, which has the airports anyway, compresses responses with it. In a
/// module below, every product would need zlib.
package enum Gzip {
    package enum Failure: Error {
        case truncated
        /// The data is not gzip, or a checksum does not match.
        case corrupt
        /// Data follows the end of the member.
        case trailingBytes
        /// The decompressed data would exceed the limit.
        case tooLarge
        case outOfMemory
    }

    private static let chunk = 1 << 16
    /// 15 bits of window, plus 16 for the gzip header and trailer.
    private static let windowBits: Int32 = 15 + 16

    /// Compresses bytes; the output is deterministic.
    ///
    /// - Parameter level: 1 achieves three quarters of the savings of 9 in a fifth of the time.
    package static func compress(_ bytes: some Collection<UInt8>, level: Int32 = 9) throws(Failure) -> Data {
        var stream = unsafe z_stream()
        guard
            unsafe deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .outOfMemory }
        defer { unsafe deflateEnd(&stream) }
        let (packed, status) = unsafe run(bytes, &stream, limit: .max) { unsafe deflate(&$0, Z_FINISH) }
        guard status == Z_STREAM_END else { throw .corrupt }
        return packed
    }

    /// Decompresses a gzip file of one member to at most `limit` bytes.
    package static func decompress(_ data: Data, limit: Int) throws(Failure) -> Data {
        var stream = unsafe z_stream()
        guard unsafe inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory
        }
        defer { unsafe inflateEnd(&stream) }
        let (unpacked, status) = unsafe run(data, &stream, limit: limit) { unsafe inflate(&$0, Z_NO_FLUSH) }
        switch status {
        case Z_STREAM_END: break
        case Z_OK where unpacked.count > limit: throw .tooLarge
        case Z_OK, Z_BUF_ERROR: throw .truncated
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .corrupt
        }
        guard unpacked.count <= limit else { throw .tooLarge }
        guard unsafe stream.avail_in == 0 else { throw .trailingBytes }
        return unpacked
    }

    /// Runs zlib over all bytes until it finishes, makes no progress or has produced more than `limit` bytes.
    private static func run(
        _ bytes: some Collection<UInt8>, _ stream: inout z_stream, limit: Int, _ step: (inout z_stream) -> Int32
    ) -> (Data, Int32) {
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: chunk)
        // zlib takes a pointer to mutable bytes, although it does not change its input.
        var input = [UInt8](bytes)
        // A file beyond four gigabytes is cut and reported as truncated.
        let size = UInt32(clamping: input.count)
        var status = Z_OK
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe buffer.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = size
                repeat {
                    unsafe stream.next_out = output.baseAddress
                    unsafe stream.avail_out = UInt32(output.count)
                    status = unsafe step(&stream)
                    let written = unsafe output.count - Int(stream.avail_out)
                    unsafe result.append(contentsOf: output.prefix(written))
                    if written == 0, status == Z_OK { break }
                } while status == Z_OK && result.count <= limit
                unsafe stream.next_in = nil
                unsafe stream.next_out = nil
            }
        }
        return (result, status)
    }
}
