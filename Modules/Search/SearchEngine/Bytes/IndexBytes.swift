/// The memory of an index: allocated by the builder, or supplied by a caller that mapped a file.
///
/// The engine never writes to it. `release` runs when the last index that uses it is deallocated.
public final class IndexBytes: @unchecked Sendable {
    // Sendable: the buffer is immutable for the life of this object, and the pointer never leaves the module's views,
    // which retain this object.
    let buffer: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void

    /// Takes ownership of memory, which must be aligned to eight bytes and stay readable and unchanged until `release`
    /// is called.
    public init(_ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.buffer = buffer
        self.release = release
    }

    /// Copies bytes into newly allocated memory.
    public convenience init(copying bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(bytes.count, 1), alignment: 64)
        memory.copyBytes(from: bytes)
        let buffer = UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count)
        self.init(buffer) { $0.deallocate() }
    }

    deinit { release(buffer) }

    /// Calls `body` with the bytes, as they are written to a file.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(buffer)
    }
}

/// A read-only view of a section as an array of fixed-width integers. Bounds are checked in debug builds.
struct View<Element: FixedWidthInteger>: @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that the index retains and that is never written.
    let base: UnsafePointer<Element>
    let count: Int

    @inline(__always)
    subscript(position: Int) -> Element {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        return base[position]
    }

    @inline(__always)
    subscript(position: UInt32) -> Element { self[Int(position)] }
}
