/// A place in a list of words that goes from word to word, with the letters of the word it stands on.
struct WordCursor {
    private let list: WordList
    /// The word it stands on, counted from 0; the number of words behind the last one.
    private(set) var position: Int
    /// The letters of the word it stands on, as numbers in the list's alphabet, and how many they are.
    private(set) var letters: [UInt8]
    private(set) var count = 0
    private var next = 0

    init(_ list: WordList) {
        self.list = list
        position = list.count
        letters = [UInt8](repeating: 0, count: WordList.longestWord)
    }

    /// The letters of the word.
    var word: ArraySlice<UInt8> { letters[..<count] }

    /// Goes to the first word of a block.
    mutating func enter(block: Int) {
        position = min(max(0, block) * WordList.blockSize, list.count)
        next = list.start(ofBlock: block)
        read()
    }

    /// Goes to a word.
    mutating func enter(word number: Int) {
        enter(block: number / WordList.blockSize)
        while position < number, position < list.count { advance() }
    }

    /// Goes to the next word, or behind the last one.
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
        // What a damaged list says is kept within the buffer: 15 letters in common at most, and 270 further ones.
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

    /// How the keys of the word compare with others: −1 if they come before, 0 if they are equal, 1 if they come after.
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

    /// Whether the word has an apostrophe wherever the pattern has `1`, and nowhere else as far as the pattern goes.
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
