/// The memory an index lives in: made by the builder, or handed over by whoever mapped a file.
///
/// The engine reads it and never writes; `release` wordSuffixes when the last index over it goes.
public final class IndexBytes: @unchecked Sendable {
    // Sendable: the buffer is immutable for the life of this object, and the pointer never leaves the module's views,
    // which hold this object.
    let buffer: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void

    /// Takes memory over. It must stay readable and unchanged until `release` is called, and be aligned to eight bytes.
    public init(_ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.buffer = buffer
        self.release = release
    }

    /// Copies bytes into memory of its own.
    public convenience init(copying bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(bytes.count, 1), alignment: 64)
        memory.copyBytes(from: bytes)
        let buffer = UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count)
        self.init(buffer) { $0.deallocate() }
    }

    deinit { release(buffer) }

    /// The block as it would be written to a file.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(buffer)
    }
}

/// A read-only window on a section, as an array of fixed-width integers. Bounds are checked in debug builds.
struct View<Element: FixedWidthInteger>: @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that its index keeps alive and nobody writes.
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
