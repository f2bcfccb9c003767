// Each `unsafe` is safe because the memory is initialized, has one owner, and a position outside of it traps.

/// Memory for intermediate values of a search, deallocated with its owner. An access outside of it traps.
///
/// Unlike an array it counts no references and has no copies, so a loop over many documents only pays for the access.
@safe struct Scratch<Element>: ~Copyable {
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
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            return unsafe base[position]
        }
        nonmutating _modify {
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            yield unsafe &base[position]
        }
    }

    @inline(__always)
    func fill(_ range: Range<Int>, with element: Element) {
        for position in range { self[position] = element }
    }
}

extension Scratch where Element: SIMD, Element.Scalar == UInt8 {
    /// The byte at an offset from the start of the memory.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count &* MemoryLayout<Element>.stride))
        return unsafe UnsafeRawPointer(base).load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func setByte(_ offset: Int, to byte: UInt8) {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count &* MemoryLayout<Element>.stride))
        unsafe UnsafeMutableRawPointer(base).storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
}
