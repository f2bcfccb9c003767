/// What an index keeps for the fields of one lane. Leave out what no search of the lane uses: each costs memory.
public struct LaneOptions: OptionSet, Sendable, Hashable {
    /// The bits, as stored in an index.
    public let rawValue: UInt32
    /// Options from their bits, as stored in an index.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Exact and prefix search: a `RunTable` with its `RunTrie`.
    public static let runs = LaneOptions(rawValue: 1)
    /// Initials and words in any order: `StartBitmaps` and `LongRecords`. Needs ``runs``.
    public static let starts = LaneOptions(rawValue: 2)
    /// Typed words in any order across lanes, but no initials: the `StartBitmaps` of first letters alone, in place of ``starts``.
    public static let typedWords = LaneOptions(rawValue: 32)
    /// Search inside words: a `SuffixTable`.
    public static let infix = LaneOptions(rawValue: 4)
    /// Search inside words that few records share, such as numbers: a `RecordSuffixTable`, in place of ``infix``. Typed gaps are not
    /// looked over.
    public static let infixByRecord = LaneOptions(rawValue: 16)
    /// Search with typos. Needs ``runs``, and nothing more is kept for it.
    public static let typos = LaneOptions(rawValue: 8)
}

/// The structures of one lane, all views on the index's bytes.
final class Lane: Sendable {
    let checks: SectionChecks
    let options: LaneOptions
    let alphabet: Alphabet
    let words: WordDictionary
    let forward: ForwardTable
    let runs: RunTable?
    let starts: StartBitmaps?
    let long: LongRecords?
    let suffixes: SuffixTable?
    let recordSuffixes: RecordSuffixTable?

    init(_ directory: SectionDirectory, lane: Int) throws(IndexFormatError) {
        checks = directory.checks(lane: lane)
        let optionsView: View<UInt32> = try directory.view(.laneOptions, lane: lane)
        guard optionsView.count == 1 else { throw .section(SectionTag.laneOptions.rawValue) }
        options = LaneOptions(rawValue: optionsView[0])
        alphabet = Alphabet(letters: try directory.view(.alphabet, lane: lane))
        words = WordDictionary(
            offsets: try directory.packed(.wordOffsets, lane: lane), bytes: try directory.view(.wordBytes, lane: lane))
        forward = ForwardTable(
            offsets: try directory.packed(.forwardOffsets, lane: lane),
            occurrences: try directory.packed(.occurrences, lane: lane))
        guard words.offsets.count > 0, forward.offsets.count == directory.recordCount + 1 else {
            throw .section(SectionTag.wordOffsets.rawValue)
        }
        if options.contains(.runs) {
            let records = try directory.packed(.runRecords, lane: lane)
            runs = RunTable(
                records: records, starts: try directory.packed(.runOccurrences, lane: lane), forward: forward,
                words: words,
                minima: RangeMinimum(
                    values: records, levels: try directory.packed(.runMinima, lane: lane),
                    parts: try directory.view(.runParts, lane: lane)),
                trie: RunTrie(
                    letters: try directory.view(.trieLetters, lane: lane),
                    children: try directory.packed(.trieChildren, lane: lane),
                    low: try directory.packed(.trieLow, lane: lane),
                    nextLetters: try directory.view(.nextLetters, lane: lane), entries: records.count))
        } else {
            runs = nil
        }
        let shape = BitmapShape(letters: alphabet.letters.count, options: options)
        starts =
            options.isDisjoint(with: [.starts, .typedWords])
            ? nil : StartBitmaps(words: try directory.view(.startBitmaps, lane: lane), shape: shape)
        long =
            options.contains(.starts)
            ? LongRecords(
                records: try directory.packed(.longRecords, lane: lane),
                members: try directory.view(.longMembers, lane: lane),
                ranks: try directory.packed(.longRanks, lane: lane),
                words: try directory.view(.longBitmaps, lane: lane), shape: shape) : nil
        if options.contains(.infix) && !options.contains(.infixByRecord) {
            let best = try directory.packed(.suffixBest, lane: lane)
            suffixes = SuffixTable(
                suffixWords: try directory.packed(.suffixWords, lane: lane),
                suffixOffsets: try directory.view(.suffixOffsets, lane: lane),
                best: RangeMinimum(
                    values: best, levels: try directory.packed(.suffixMinima, lane: lane),
                    parts: try directory.view(.suffixParts, lane: lane)),
                postingOffsets: try directory.packed(.postingOffsets, lane: lane),
                postings: try directory.packed(.postings, lane: lane), words: words)
        } else {
            suffixes = nil
        }
        if options.contains(.infixByRecord) {
            let entries = try directory.suffixEntries(lane: lane)
            recordSuffixes = RecordSuffixTable(
                entries: entries,
                minima: RangeMinimum(
                    values: entries, levels: try directory.packed(.suffixMinima, lane: lane),
                    parts: try directory.view(.suffixParts, lane: lane)),
                forward: forward, words: words)
        } else {
            recordSuffixes = nil
        }
    }
}
