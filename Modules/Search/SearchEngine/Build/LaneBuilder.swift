/// Collects the words of one lane and writes its sections.
///
/// Words are interned as they come (open addressing over one arena of letters), so memory grows with the distinct
/// words and four bytes for each occurrence.
final class LaneBuilder: @unchecked Sendable {
    // Sendable: the thread that adds the words is through when another one writes the sections, and that only reads.
    let options: LaneOptions
    private var arena: [UInt16] = []
    private var wordStarts: [UInt32] = [0]
    private var wordHasInfix: [Bool] = []
    private var slots: [UInt32] = Array(repeating: 0, count: 1024)
    private var occurrences: [UInt32] = []
    private var recordStarts: [UInt32] = []
    private var atFieldStart = false
    /// Where the occurrences of the field under way begin, and whether a word of it has several spellings.
    private var fieldBegin = 0
    private var hasSpellings = false

    /// Fields of up to so many words have their tracks aligned: names and titles. What is longer is not typed as a whole.
    static let mostAlignedWords = 8

    init(options: LaneOptions) { self.options = options }

    private var wordCount: Int { wordStarts.count - 1 }

    func beginRecord() {
        endField()
        recordStarts.append(UInt32(occurrences.count))
    }

    func beginField() {
        endField()
        atFieldStart = true
    }

    /// Ends the field under way; to be called after the last one.
    func endField() {
        if hasSpellings, !options.isDisjoint(with: [.runs, .typos]) { alignTracks() }
        hasSpellings = false
        fieldBegin = occurrences.count
    }

    /// Repeats the last spelling of each word that stands before one with more of them, so that every track of the later word has runs
    /// from the earlier on: "robert" goes on with "muller" and with "mueller".
    private func alignTracks() {
        var words: [Range<Int>] = []
        for position in fieldBegin..<occurrences.count {
            if occurrences[position] & ForwardTable.otherSpelling == 0 {
                words.append(position..<position + 1)
            } else {
                words[words.count - 1] = words[words.count - 1].lowerBound..<position + 1
            }
        }
        if words.count > LaneBuilder.mostAlignedWords { return }
        var aligned: [[UInt32]] = []
        var tracks = 0
        for word in words.reversed() {
            tracks = Swift.max(tracks, word.count)
            let last = occurrences[word.upperBound - 1] & ~ForwardTable.fieldStart | ForwardTable.otherSpelling
            aligned.append(occurrences[word] + Array(repeating: last, count: tracks - word.count))
        }
        occurrences.replaceSubrange(fieldBegin..., with: aligned.reversed().joined())
    }

    func addWord(_ spellings: [[UInt16]], infixSpellings: Int) {
        var number = 0
        for spelling in spellings where !spelling.isEmpty {
            let word = intern(spelling.prefix(IndexBuilder.longestWord))
            if number < infixSpellings { wordHasInfix[word] = true }
            var occurrence = ForwardTable.occurrence(of: UInt32(word))
            if number > 0 { occurrence |= ForwardTable.otherSpelling }
            if atFieldStart && number == 0 { occurrence |= ForwardTable.fieldStart }
            occurrences.append(occurrence)
            number += 1
        }
        if number > 0 { atFieldStart = false }
        if number > 1 { hasSpellings = true }
    }

    private func intern(_ letters: ArraySlice<UInt16>) -> Int {
        if wordCount * 2 >= slots.count { grow() }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash(letters)) & mask
        while slots[slot] != 0 {
            let word = Int(slots[slot]) - 1
            if arena[Int(wordStarts[word])..<Int(wordStarts[word + 1])] == letters { return word }
            slot = (slot + 1) & mask
        }
        arena += letters
        wordStarts.append(UInt32(arena.count))
        wordHasInfix.append(false)
        slots[slot] = UInt32(wordCount)
        return wordCount - 1
    }

    private func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for word in 0..<wordCount {
            var slot = Int(truncatingIfNeeded: hash(arena[Int(wordStarts[word])..<Int(wordStarts[word + 1])])) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(word + 1)
        }
    }

    private func hash(_ letters: ArraySlice<UInt16>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for letter in letters { hash = (hash ^ UInt64(letter)) &* 0x0000_0100_0000_01b3 }
        return hash ^ (hash >> 31)
    }

    // MARK: - Writing

    func write(to writer: inout SectionWriter, lane: Int, order: [Int]) {
        let letters = alphabetLetters()
        let (encoded, offsets, ranks) = sortedDictionary(letters: letters)
        let (forwardOffsets, forward) = forwardTable(order: order, wordRanks: ranks)
        writer.add(.laneOptions, lane: lane, [options.rawValue])
        writer.add(.alphabet, lane: lane, letters)
        writer.addPacked(.wordOffsets, lane: lane, offsets)
        writer.add(.wordBytes, lane: lane, encoded)
        writer.addPacked(.forwardOffsets, lane: lane, forwardOffsets)
        writer.addPacked(.occurrences, lane: lane, forward)
        let source = LaneSource(
            wordBytes: encoded, wordOffsets: offsets, forwardOffsets: forwardOffsets, occurrences: forward)
        if !options.isDisjoint(with: [.runs, .typos]) {
            let runs = SortedRuns(source)
            writer.addPacked(.runRecords, lane: lane, runs.records)
            writer.addPacked(.runOccurrences, lane: lane, runs.starts.map { UInt32($0) })
            add(
                RangeMinimumTable(runs.records, blockShift: PackedView<UInt32>.blockShift), to: &writer, .runMinima,
                .runParts, lane: lane)
            let trie = TrieBuilder(runs, hasTypos: options.contains(.typos))
            writer.add(.trieLetters, lane: lane, trie.letters)
            writer.addPacked(.trieChildren, lane: lane, trie.children)
            writer.addPacked(.trieLow, lane: lane, trie.low)
            writer.add(.nextLetters, lane: lane, trie.nextLetters)
        }
        let bitmaps = BitmapBuilder(
            source: source, shape: BitmapShape(letters: letters.count, options: options))
        if !options.isDisjoint(with: [.starts, .typedWords]) {
            writer.add(.startBitmaps, lane: lane, bitmaps.startBitmaps())
        }
        if options.contains(.starts) {
            let long = bitmaps.longRecords()
            writer.addPacked(.longRecords, lane: lane, long.records)
            writer.add(.longMembers, lane: lane, long.members)
            writer.addPacked(.longRanks, lane: lane, long.ranks)
            writer.add(.longBitmaps, lane: lane, long.bitmaps)
        }
        var hasInfix = Array(repeating: false, count: wordCount)
        for word in 0..<wordCount { hasInfix[Int(ranks[word])] = wordHasInfix[word] }
        if options.contains(.infixByRecord) {
            let suffixes = SortedRecordSuffixes(source, hasInfix: hasInfix)
            writer.add(.suffixEntries, lane: lane, section: SuffixEntries.section(of: suffixes.entries))
            add(
                RangeMinimumTable(suffixes.entries.map(\.record), blockShift: SuffixEntries.blockShift), to: &writer,
                .suffixMinima, .suffixParts, lane: lane)
        } else if options.contains(.infix) {
            let suffixes = SortedSuffixes(source, hasInfix: hasInfix)
            writer.addPacked(.suffixWords, lane: lane, suffixes.words)
            writer.add(.suffixOffsets, lane: lane, suffixes.offsets)
            writer.addPacked(.suffixBest, lane: lane, suffixes.best)
            add(
                RangeMinimumTable(suffixes.best, blockShift: PackedView<UInt32>.blockShift), to: &writer, .suffixMinima,
                .suffixParts, lane: lane)
            writer.addPacked(.postingOffsets, lane: lane, suffixes.postingOffsets)
            writer.addPacked(.postings, lane: lane, suffixes.postings)
        }
    }

    private func add(
        _ minima: RangeMinimumTable, to writer: inout SectionWriter, _ levels: SectionTag, _ parts: SectionTag,
        lane: Int
    ) {
        writer.addPacked(levels, lane: lane, minima.levels)
        writer.add(parts, lane: lane, minima.parts)
    }

    /// The up to 254 most frequent letters, ascending.
    private func alphabetLetters() -> [UInt16] {
        var counts = Array(repeating: 0, count: 1 << 16)
        for letter in arena { counts[Int(letter)] += 1 }
        let present = (0..<counts.count).filter { counts[$0] > 0 }
        let frequent = present.sorted { counts[$0] == counts[$1] ? $0 < $1 : counts[$0] > counts[$1] }.prefix(254)
        return frequent.sorted().map { UInt16($0) }
    }

    private func sortedDictionary(letters: [UInt16]) -> (bytes: [UInt8], offsets: [UInt32], ranks: [UInt32]) {
        var codes = Array(repeating: UInt8(0), count: 1 << 16)
        for (position, letter) in letters.enumerated() { codes[Int(letter)] = UInt8(position + 1) }
        var raw: [UInt8] = []
        raw.reserveCapacity(arena.count)
        var starts: [Int] = [0]
        starts.reserveCapacity(wordCount + 1)
        for word in 0..<wordCount {
            for letter in arena[Int(wordStarts[word])..<Int(wordStarts[word + 1])] {
                let code = codes[Int(letter)]
                if code != 0 {
                    raw.append(code)
                } else {
                    raw.append(Alphabet.escape)
                    raw.append(UInt8(letter >> 8))
                    raw.append(UInt8(letter & 0xff))
                }
            }
            starts.append(raw.count)
        }
        let order = sortedByBytes(count: wordCount, bytes: raw) { starts[$0]..<starts[$0 + 1] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var offsets: [UInt32] = [0]
        var ranks = Array(repeating: UInt32(0), count: wordCount)
        for (rank, word) in order.enumerated() {
            bytes += raw[starts[Int(word)]..<starts[Int(word) + 1]]
            offsets.append(UInt32(bytes.count))
            ranks[Int(word)] = UInt32(rank)
        }
        return (bytes, offsets, ranks)
    }

    private func forwardTable(order: [Int], wordRanks: [UInt32]) -> ([UInt32], [UInt32]) {
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(order.count + 1)
        var forward: [UInt32] = []
        forward.reserveCapacity(occurrences.count)
        for record in order {
            let end = record + 1 < recordStarts.count ? Int(recordStarts[record + 1]) : occurrences.count
            for occurrence in occurrences[Int(recordStarts[record])..<end] {
                let word = Int(ForwardTable.word(occurrence))
                forward.append(ForwardTable.occurrence(of: wordRanks[word]) | occurrence & ForwardTable.flags)
            }
            offsets.append(UInt32(forward.count))
        }
        return (offsets, forward)
    }
}

/// The parts of a lane that the other structures are made from.
struct LaneSource {
    let wordBytes: [UInt8]
    let wordOffsets: [UInt32]
    let forwardOffsets: [UInt32]
    let occurrences: [UInt32]

    func range(of record: Int) -> Range<Int> { Int(forwardOffsets[record])..<Int(forwardOffsets[record + 1]) }

    func bytes(of word: Int) -> ArraySlice<UInt8> { wordBytes[Int(wordOffsets[word])..<Int(wordOffsets[word + 1])] }
}
