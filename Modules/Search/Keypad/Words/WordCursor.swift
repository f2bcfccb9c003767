/// A position in a word list, with the decoded letters of the word.
struct WordCursor {
    private let list: WordList
    /// The index of the word, or the number of words at the end.
    private(set) var position: Int
    /// A buffer with the letters of the word, as indices in the alphabet of the list.
    private(set) var letters: [UInt8]
    /// The number of letters of the word.
    private(set) var count = 0
    /// The offset of the next word.
    private var next = 0

    init(_ list: WordList) {
        self.list = list
        position = list.count
        letters = [UInt8](repeating: 0, count: WordList.longestWord)
    }

    /// The letters of the word.
    var word: ArraySlice<UInt8> { letters[..<count] }

    /// Moves to the first word of a block.
    mutating func seek(toBlock block: Int) {
        position = min(max(0, block) * WordList.blockSize, list.count)
        next = list.start(ofBlock: block)
        read()
    }

    mutating func seek(toWord number: Int) {
        seek(toBlock: number / WordList.blockSize)
        while position < number, position < list.count { advance() }
    }

    /// Moves to the next word, or past the last one.
    mutating func advance() {
        guard position < list.count else { return }
        position += 1
        if position % WordList.blockSize == 0 { next = list.start(ofBlock: position / WordList.blockSize) }
        read()
    }

    private mutating func read() {
        guard position < list.count else { return }
        let head = list.byte(next)
        next += 1
        // Cannot overflow the buffer, even if the list is corrupt: at most 15 shared letters and 270 others.
        let shared = min(Int(head >> 4), count)
        var more = Int(head & 15)
        if more == 15 {
            more += Int(list.byte(next))
            next += 1
        }
        for index in 0..<more { letters[shared + index] = list.byte(next + index) }
        next += more
        count = shared + more
    }

    /// Compares the keys of the word with others: −1 if they come before, 0 if they are equal, 1 if they come after.
    func compare(with keys: [UInt8]) -> Int {
        var index = 0
        for letter in word {
            let (first, second) = list.keys(ofLetter: letter)
            for key in [first, second] where key != 0 {
                guard index < keys.count else { return 1 }
                if key != keys[index] { return key < keys[index] ? -1 : 1 }
                index += 1
            }
        }
        return index == keys.count ? 0 : -1
    }

    /// Returns `true` if the word begins with the keys of a pattern and has apostrophes exactly where the pattern has
    /// `1`.
    func hasApostrophes(of pattern: [UInt8]) -> Bool {
        var index = 0
        for letter in word {
            guard index < pattern.count else { return true }
            let (first, second) = list.keys(ofLetter: letter)
            if first == 0 {
                guard pattern[index] == UInt8(ascii: "1") else { return false }
                index += 1
            } else {
                guard pattern[index] == first else { return false }
                index += 1
                if second != 0, index < pattern.count {
                    guard pattern[index] == second else { return false }
                    index += 1
                }
            }
        }
        return index == pattern.count
    }
}
