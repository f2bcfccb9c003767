/// What each record says: its words in order, as numbers into the dictionary.
///
/// An occurrence is at most 32 bits: bit 0 if the word begins a field, bit 1 if it is another spelling of the position before it, and
/// above them the word's number. The spellings of a position are aligned by number ("tracks"): spelling
/// t of one position goes on with spelling min(t, last) of the next. Where a later word of a short field has more of them, the last one
/// is repeated (``LaneBuilder``), so that there is a run on each track.
struct ForwardTable: Sendable {
    static let fieldStart: UInt32 = 1
    static let otherSpelling: UInt32 = 2
    static let flags: UInt32 = 3
    private static let wordShift: UInt32 = 2

    let offsets: PackedView<UInt32>
    let occurrences: PackedView<UInt32>

    /// The number of the word of an occurrence.
    @inline(__always)
    static func word(_ occurrence: UInt32) -> UInt32 { occurrence &>> wordShift }

    /// An occurrence of a word, without flags.
    @inline(__always)
    static func occurrence(of word: UInt32) -> UInt32 { word &<< wordShift }

    @inline(__always)
    func range(of record: Int) -> Range<Int> { Int(offsets[record])..<Int(offsets[record + 1]) }

    @inline(__always)
    func word(_ occurrence: Int) -> Int { Int(ForwardTable.word(occurrences[occurrence])) }

    @inline(__always)
    func isOtherSpelling(_ occurrence: Int) -> Bool { occurrences[occurrence] & ForwardTable.otherSpelling != 0 }

    @inline(__always)
    func startsField(_ occurrence: Int) -> Bool { occurrences[occurrence] & ForwardTable.fieldStart != 0 }

    /// The first spelling of the position of an occurrence.
    @inline(__always)
    func firstSpelling(_ occurrence: Int) -> Int {
        var first = occurrence
        while isOtherSpelling(first) { first -= 1 }
        return first
    }

    /// Which track of its position an occurrence is on, from 0.
    @inline(__always)
    func spelling(_ occurrence: Int) -> Int { occurrence - firstSpelling(occurrence) }

    /// Which spelling of its word an occurrence is, from 0: the last one is repeated where a later word has more.
    func givenSpelling(_ occurrence: Int) -> Int {
        let first = firstSpelling(occurrence)
        return (first...occurrence).first { word($0) == word(occurrence) }.map { $0 - first } ?? 0
    }

    /// The occurrence that goes on after `occurrence` in the same field and on the same track, or nil at the field's
    /// end. `end` is the end of the record's range.
    @inline(__always)
    func next(after occurrence: Int, spelling: Int, end: Int) -> Int? {
        var position = occurrence + 1
        while position < end && isOtherSpelling(position) { position += 1 }
        if position >= end || startsField(position) { return nil }
        var track = 0
        while track < spelling && position + 1 < end && isOtherSpelling(position + 1) {
            position += 1
            track += 1
        }
        return position
    }
}
