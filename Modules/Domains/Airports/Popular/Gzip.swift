import CSwitchboardZlib
import Foundation

/// Gzip (RFC 1952) through zlib: one member, whole, with its checksum.
enum Gzip {
    /// What makes bytes no gzip file that can be read.
    enum Failure: Error {
        /// The bytes end before the file does.
        case torn
        /// They are not gzip, or a checksum is wrong.
        case damaged
        /// There is something after the end of the file.
        case trailingBytes
        /// Unpacked it would be larger than allowed.
        case tooLarge
        /// zlib has no memory.
        case outOfMemory
    }

    private static let chunk = 1 << 16
    /// 15 bits of window, and 16 for the gzip header and trailer.
    private static let windowBits: Int32 = 15 + 16

    /// Packs bytes, as small as zlib can; the same bytes give the same file.
    static func compress(_ data: Data) throws(Failure) -> Data {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .outOfMemory }
        defer { deflateEnd(&stream) }
        let (packed, status) = run(data, &stream, limit: .max) { deflate(&$0, Z_FINISH) }
        guard status == Z_STREAM_END else { throw .damaged }
        return packed
    }

    /// Unpacks a gzip file of one member, to at most `limit` bytes.
    static func decompress(_ data: Data, limit: Int) throws(Failure) -> Data {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory
        }
        defer { inflateEnd(&stream) }
        let (unpacked, status) = run(data, &stream, limit: limit) { inflate(&$0, Z_NO_FLUSH) }
        switch status {
        case Z_STREAM_END: break
        case Z_OK where unpacked.count > limit: throw .tooLarge
        case Z_OK, Z_BUF_ERROR: throw .torn
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
        guard unpacked.count <= limit else { throw .tooLarge }
        guard stream.avail_in == 0 else { throw .trailingBytes }
        return unpacked
    }

    /// WordSuffixes zlib over all of `data`, until it has ended, makes no progress or has given more than `limit` bytes.
    private static func run(
        _ data: Data, _ stream: inout z_stream, limit: Int, _ step: (inout z_stream) -> Int32
    ) -> (Data, Int32) {
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: chunk)
        // zlib reads through a pointer to bytes that it does not change but for which C had no const.
        var input = [UInt8](data)
        // A file past four gigabytes is cut, and found torn.
        let size = UInt32(clamping: input.count)
        var status = Z_OK
        input.withUnsafeMutableBufferPointer { input in
            buffer.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = size
                repeat {
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    status = step(&stream)
                    let written = output.count - Int(stream.avail_out)
                    result.append(contentsOf: output.prefix(written))
                    if written == 0, status == Z_OK { break }
                } while status == Z_OK && result.count <= limit
                stream.next_in = nil
                stream.next_out = nil
            }
        }
        return (result, status)
    }
}
