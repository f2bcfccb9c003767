// Each `unsafe` is safe because the memory has one owner, which deallocates it once, and because a read or write
// outside of it is checked first or traps.

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
