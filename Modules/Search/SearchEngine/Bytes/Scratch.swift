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
