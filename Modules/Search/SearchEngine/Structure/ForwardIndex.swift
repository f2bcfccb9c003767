/// What each document says: its words in order, as numbers into the dictionary.
///
/// An token is at most 32 bits: bit 0 if the word begins a value, bit 1 if it is another spelling of the position before it, and
/// above them the word's number. The spellings of a position are aligned by number ("tracks"): spelling
/// t of one position goes on with spelling min(t, last) of the next. Where a later word of a short value has more of them, the last one
/// is repeated (``FieldBuilder``), so that there is a run on each track.
struct ForwardIndex: Sendable {
    static let valueStart: UInt32 = 1
    static let otherSpelling: UInt32 = 2
    static let flags: UInt32 = 3
    private static let wordShift: UInt32 = 2

    let offsets: PackedView<UInt32>
    let tokens: PackedView<UInt32>

    /// The number of the word of an token.
    @inline(__always)
    static func word(_ token: UInt32) -> UInt32 { token &>> wordShift }

    /// An token of a word, without flags.
    @inline(__always)
    static func token(of word: UInt32) -> UInt32 { word &<< wordShift }

    @inline(__always)
    func range(of document: Int) -> Range<Int> { Int(offsets[document])..<Int(offsets[document + 1]) }

    @inline(__always)
    func word(_ token: Int) -> Int { Int(ForwardIndex.word(tokens[token])) }

    @inline(__always)
    func isOtherSpelling(_ token: Int) -> Bool { tokens[token] & ForwardIndex.otherSpelling != 0 }

    @inline(__always)
    func startsValue(_ token: Int) -> Bool { tokens[token] & ForwardIndex.valueStart != 0 }

    /// The first spelling of the position of an token.
    @inline(__always)
    func firstSpelling(_ token: Int) -> Int {
        var first = token
        while isOtherSpelling(first) { first -= 1 }
        return first
    }

    /// Which track of its position an token is on, from 0.
    @inline(__always)
    func track(_ token: Int) -> Int { token - firstSpelling(token) }

    /// Which spelling of its word an token is, from 0: the last one is repeated where a later word has more.
    func originalSpelling(_ token: Int) -> Int {
        let first = firstSpelling(token)
        return (first...token).first { word($0) == word(token) }.map { $0 - first } ?? 0
    }

    /// The token that goes on after `token` in the same value and on the same track, or nil at the value's
    /// end. `end` is the end of the document's range.
    @inline(__always)
    func next(after token: Int, track: Int, end: Int) -> Int? {
        var position = token + 1
        while position < end && isOtherSpelling(position) { position += 1 }
        if position >= end || startsValue(position) { return nil }
        var passed = 0
        while passed < track && position + 1 < end && isOtherSpelling(position + 1) {
            position += 1
            passed += 1
        }
        return position
    }
}
