/// The words of each document in order, as numbers in the dictionary.
///
/// A token has at most 32 bits. Bit 0 is set if the word starts a value, bit 1 if it is another spelling of the word
/// before it; the bits above hold the word number. The spellings of adjacent words are aligned in *tracks*: spelling t
/// of one word is followed by spelling min(t, last) of the next. If a later word of a short value has more spellings,
/// ``FieldBuilder`` repeats the last spelling of the earlier words, so that each track has a word suffix.
struct ForwardIndex: Sendable {
    static let valueStart: UInt32 = 1
    static let otherSpelling: UInt32 = 2
    static let flags: UInt32 = 3
    private static let wordShift: UInt32 = 2

    private let offsets: PackedView<UInt32>
    let tokens: PackedView<UInt32>

    /// Returns nil if the sections do not fit the number of documents.
    init?(offsets: PackedView<UInt32>, tokens: PackedView<UInt32>, documents: Int) {
        guard offsets.count == documents + 1 else { return nil }
        self.offsets = offsets
        self.tokens = tokens
    }

    /// Returns the word number of a token.
    @inline(__always)
    static func word(_ token: UInt32) -> UInt32 { token &>> wordShift }

    /// Returns a token of a word, without flags.
    @inline(__always)
    static func token(of word: UInt32) -> UInt32 { word &<< wordShift }

    /// Returns the tokens of a document. All of them are inside ``tokens``.
    @inline(__always)
    func range(of document: Int) -> Range<Int> { offsets.range(at: document, within: tokens.count) }

    /// Returns the first token of a document.
    @inline(__always)
    func start(of document: UInt32) -> Int { Int(offsets[Int(document)]) }

    /// Returns the end of a document's tokens.
    @inline(__always)
    func end(of document: UInt32) -> Int { Swift.min(Int(offsets[Int(document) + 1]), tokens.count) }

    @inline(__always)
    func word(_ token: Int) -> Int { Int(ForwardIndex.word(tokens[token])) }

    @inline(__always)
    func isOtherSpelling(_ token: Int) -> Bool { tokens[token] & ForwardIndex.otherSpelling != 0 }

    @inline(__always)
    func startsValue(_ token: Int) -> Bool { tokens[token] & ForwardIndex.valueStart != 0 }

    /// Returns the end of the spellings of the word from a token on. `end` is at most the number of tokens.
    @inline(__always)
    func endOfSpellings(_ token: Int, _ end: Int) -> Int {
        var next = token + 1
        // Safe: `next` is less than `end`.
        while unsafe next < end && tokens[unchecked: next] & ForwardIndex.otherSpelling != 0 { next += 1 }
        return next
    }

    /// Returns the token of the first spelling of the same word.
    @inline(__always)
    func firstSpelling(_ token: Int) -> Int {
        var first = token
        while first > 0 && isOtherSpelling(first) { first -= 1 }
        return first
    }

    /// Returns the track of a token, from 0.
    @inline(__always)
    func track(_ token: Int) -> Int { token - firstSpelling(token) }

    /// Returns the number of the spelling that was added to the index, from 0. Repeated tracks have the number of the
    /// last spelling.
    func originalSpelling(_ token: Int) -> Int {
        let first = firstSpelling(token)
        return (first...token).first { word($0) == word(token) }.map { $0 - first } ?? 0
    }

    /// Returns the token that follows in the same value and on the same track, or nil at the end of the value.
    ///
    /// - Parameter end: The end of the document's range, at most the number of tokens.
    @inline(__always)
    func next(after token: Int, track: Int, end: Int) -> Int? {
        var position = endOfSpellings(token, end)
        // Safe: `position` is less than `end`.
        if unsafe position >= end || tokens[unchecked: position] & ForwardIndex.valueStart != 0 { return nil }
        var passed = 0
        while passed < track && position + 1 < end && isOtherSpelling(position + 1) {
            position += 1
            passed += 1
        }
        return position
    }
}
