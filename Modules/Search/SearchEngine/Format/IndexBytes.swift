#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// In `IndexBytes` and `MutableIndexBytes`, each `unsafe` is safe because the memory has one owner, which deallocates it
// once, and because a read or write outside of it is checked first or traps.

/// The memory of an index: allocated by the builder, or supplied by a caller that mapped a file.
///
/// The engine never writes to it. `release` runs when the last index that uses it is deallocated.
@safe public final class IndexBytes: @unchecked Sendable {
    // Sendable: the buffer is immutable for the life of this object. Views of it live in an index, which retains this
    // object, and never leave the module.
    private let buffer: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void

    /// Takes ownership of memory, which must stay readable and unchanged until `release` is called.
    @unsafe public init(
        _ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        // Safe: the caller passes memory that stays readable until `release`.
        unsafe self.buffer = buffer
        unsafe self.release = release
    }

    /// Copies bytes into newly allocated memory.
    public convenience init(copying bytes: some Collection<UInt8>) {
        let memory = MutableIndexBytes(count: bytes.count)
        memory.copy(bytes, to: 0)
        self.init(memory)
    }

    /// Maps a file into memory.
    convenience init(mapping path: String) throws(IndexFormatError) {
        // Safe: strerror returns a text that this thread keeps until its next call.
        func failure(_ code: Int32) -> IndexFormatError {
            .file(path: path, reason: unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")
        }
        // Safe: the path is passed as a NUL-terminated copy that lives until the call returns.
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        var status = stat()
        // Safe: the results are written to a local variable.
        guard unsafe fstat(file, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(EISDIR) }
        guard status.st_size > 0 else { throw .truncated }
        let size = Int(status.st_size)
        // Safe: the system chooses the address, and this object unmaps the memory once.
        guard let address = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), unsafe address != MAP_FAILED else {
            throw failure(errno)
        }
        unsafe self.init(UnsafeRawBufferPointer(start: address, count: size)) {
            _ = unsafe munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count)
        }
    }

    convenience init(_ memory: consuming MutableIndexBytes) {
        // Safe: the memory has no other owner any more, and this object deallocates it once.
        let buffer = unsafe memory.take()
        unsafe self.init(UnsafeRawBufferPointer(buffer)) { unsafe $0.deallocate() }
    }

    // Safe: no view outlives this object.
    deinit { unsafe release(buffer) }

    // Safe: reads no memory.
    var count: Int { unsafe buffer.count }

    /// Calls `body` with the bytes, as they are written to a file.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // Safe: the buffer lives during the call.
        unsafe try body(buffer)
    }

    /// Returns the integer at an offset, or 0 if it is not inside the bytes.
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: Value.Type = Value.self) -> Value {
        // Safe: the slice contains a whole value.
        unsafe slice(offset, MemoryLayout<Value>.size)?.loadUnaligned(as: Value.self) ?? 0
    }

    /// Returns the bytes of a section, or nil if they are not inside the block.
    func slice(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        // Safe: the bounds were checked.
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length])
    }

    /// Returns the checksum of a range of bytes, or nil if it is not inside the block. O(length).
    func checksum(_ offset: Int, _ length: Int) -> UInt64? {
        // Safe: the slice is inside the buffer.
        unsafe slice(offset, length).map { unsafe ByteHash.checksum(of: $0) }
    }
}

/// The memory of an index that is being written. A write outside of it traps.
@safe struct MutableIndexBytes: ~Copyable {
    // Safe: the only owner of the memory, which deallocates it once or hands it over; each write is checked.
    private let buffer: UnsafeMutableRawBufferPointer

    /// Allocates zeros.
    init(count: Int) {
        unsafe buffer = .allocate(byteCount: count, alignment: 64)
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { unsafe buffer.deallocate() }

    func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
        // Safe: reads no memory.
        let count = unsafe buffer.count
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        // Safe: the bounds were checked.
        unsafe buffer.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }

    func copy(_ bytes: some Collection<UInt8>, to offset: Int) {
        // Safe: the slice traps if the bytes do not fit.
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + bytes.count]).copyBytes(from: bytes)
    }

    func checksum(_ range: Range<Int>) -> UInt64 {
        // Safe: the slice traps if it is not inside the buffer.
        unsafe ByteHash.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[range]))
    }

    /// Hands over the memory, which the caller must deallocate.
    @unsafe consuming func take() -> UnsafeMutableRawBufferPointer {
        // Safe: `discard` skips the deallocation here.
        let buffer = unsafe buffer
        discard self
        return unsafe buffer
    }
}

/// A hash of bytes that is stable across processes, for fingerprints of data: FNV-1a over 64-bit words in four chains.
///
/// The words 0, 4, 8 … go to the first chain, the words 1, 5, 9 … to the second, and so on. The last bytes that do not
/// fill 32 go to the first chain one by one. The chains and the length are then mixed into one number.
///
/// Detects accidental changes, not malicious ones. About a tenth of a nanosecond per byte.
package struct ByteHash {
    // Safe: the words and bytes that are read lie within the buffer, whose size is counted, and the buffer lives during
    // the call.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01b3

    package init() {}

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var chains = Chains(after: value)
        // Safe: the caller's buffer lives during the call.
        unsafe chains.add(bytes)
        value = chains.value
    }

    /// The chains of bytes that are added in pieces, each a multiple of ``blockLength`` but for the last.
    struct Chains {
        static let blockLength = 32

        // Four independent chains keep the multiplier busy; a single one would wait for each product.
        private var chains: (UInt64, UInt64, UInt64, UInt64)
        private var count = 0

        /// Creates the chains for bytes that follow a hash.
        init(after value: UInt64 = ByteHash().value) { chains = (value, 1, 2, 3) }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            assert(count % Chains.blockLength == 0)
            var chains = self.chains
            var offset = 0
            while offset + Chains.blockLength <= bytes.count {
                // Safe: `offset` is at most `count` - 32.
                @inline(__always) func word(_ number: Int) -> UInt64 {
                    unsafe bytes.loadUnaligned(fromByteOffset: offset + 8 * number, as: UInt64.self)
                }
                chains.0 = (chains.0 ^ word(0)) &* ByteHash.prime
                chains.1 = (chains.1 ^ word(1)) &* ByteHash.prime
                chains.2 = (chains.2 ^ word(2)) &* ByteHash.prime
                chains.3 = (chains.3 ^ word(3)) &* ByteHash.prime
                offset += Chains.blockLength
            }
            while offset < bytes.count {
                // Safe: `offset` is less than `count`.
                chains.0 = (chains.0 ^ UInt64(unsafe bytes[offset])) &* ByteHash.prime
                offset += 1
            }
            self.chains = chains
            count += bytes.count
        }

        /// The hash of all bytes.
        var value: UInt64 {
            [chains.0, chains.1, chains.2, chains.3].reduce(UInt64(count)) { value, chain in
                (value ^ chain ^ (chain >> 29)) &* ByteHash.prime
            }
        }

        /// The checksum of all bytes; see ``ByteHash/checksum(of:)``.
        var checksum: UInt64 { value ^ (value >> 32) }
    }

    package mutating func add(_ text: String) {
        var text = text
        // Safe: the buffer is used during the call only.
        text.withUTF8 { unsafe add(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the checksum of bytes of an index. O(n).
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        // Safe: the caller's buffer lives during the call.
        var chains = Chains()
        unsafe chains.add(bytes)
        return chains.checksum
    }
}

/// Memory for intermediate values of a search, deallocated with its owner.
///
/// Unlike an array it has no reference counting and no copies, so a loop over many documents only pays for the access.
/// Positions depend on the query, whose length determines the size, or are less than a fixed size, regardless of the
/// content of an index. They are checked in debug builds.
@safe struct Scratch<Element>: ~Copyable {
    // Safe: the only owner of the memory; each `unsafe` accesses a position that follows from the length of the query, as
    // does `count`, or is less than a fixed size, and never one that an index file contains.
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: element, count: count)
        self.count = count
    }

    deinit {
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }

    @inline(__always)
    subscript(position: Int) -> Element {
        get {
            assert(UInt(bitPattern: position) < UInt(bitPattern: count))
            return unsafe base[position]
        }
        nonmutating _modify {
            assert(UInt(bitPattern: position) < UInt(bitPattern: count))
            yield unsafe &base[position]
        }
    }

    @inline(__always)
    func fill(_ range: Range<Int>, with element: Element) {
        for position in range { self[position] = element }
    }
}

extension Scratch where Element: Comparable {
    /// Sorts the first elements. O(count · log count).
    func sort(_ count: Int) {
        precondition(count <= self.count)
        // Safe: the elements are inside the memory.
        var elements = unsafe UnsafeMutableBufferPointer(start: base, count: count)
        unsafe elements.sort()
    }
}
