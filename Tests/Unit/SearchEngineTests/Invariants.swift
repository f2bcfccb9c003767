import Testing

@testable import SwitchboardSearchEngine

extension SearchIndex {
    func expectInvariants(sourceLocation: SourceLocation = #_sourceLocation) {
        let broken = brokenInvariants()
        #expect(broken.isEmpty, "\(broken.prefix(5))", sourceLocation: sourceLocation)
    }

    /// Checks the invariants that the builder establishes in every structure: orders, bounds and minima. O(size · log
    /// size).
    ///
    /// - Returns: One line per violation.
    func brokenInvariants() -> [String] {
        fields.enumerated().flatMap { number, field in
            field.brokenInvariants(documents: documentCount).map { "field \(number): \($0)" }
        }
    }
}

extension Field {
    func brokenInvariants(documents: Int) -> [String] {
        var broken: [String] = []
        func check(_ condition: Bool, _ message: @autoclosure () -> String) {
            if !condition { broken.append(message()) }
        }
        for word in 1..<Swift.max(words.count, 1) {
            let letters = bytes(of: word)
            check(
                words.letters(of: word - 1).compare(to: letters.span) < 0,
                "words \(word - 1) and \(word) are not in order")
        }
        for token in 0..<forward.tokens.count {
            check(forward.word(token) < words.count, "token \(token) has no word in the dictionary")
        }
        for document in 0..<documents {
            check(
                forward.start(of: UInt32(document)) <= forward.end(of: UInt32(document)),
                "document \(document) ends before it starts")
            let range = forward.range(of: document)
            check(range.isEmpty || forward.startsValue(range.lowerBound), "document \(document) does not start a value")
        }
        if let wordSuffixes {
            for entry in 1..<Swift.max(wordSuffixes.count, 1) {
                let key = Array(wordSuffixes.key(entry).prefix(WordSuffixArray.maxLength))
                let order = wordSuffixes.compare(entry - 1, to: key.span).order
                check(order <= 0, "word suffixes \(entry - 1) and \(entry) are not in order")
            }
            for low in stride(from: 0, to: wordSuffixes.count, by: Swift.max(1, wordSuffixes.count / 50)) {
                for high in stride(
                    from: low + 1, through: wordSuffixes.count, by: Swift.max(1, wordSuffixes.count / 40))
                {
                    let position = wordSuffixes.minima.position(low, high)
                    let smallest = (low..<high).map { wordSuffixes.documents[$0] }.min()
                    check(
                        position >= low && position < high && wordSuffixes.documents[position] == smallest,
                        "the minimum of word suffixes \(low)..<\(high) is wrong")
                }
            }
        }
        if let trie = wordSuffixes?.trie { broken += trie.brokenInvariants() }
        if let termSuffixes {
            for word in 0..<words.count {
                let list = termSuffixes.postingRange(of: word)
                for position in list.dropFirst() {
                    check(
                        termSuffixes.postings[position - 1] < termSuffixes.postings[position],
                        "the postings of word \(word) are not ascending")
                }
            }
        }
        return broken
    }

    private func bytes(of word: Int) -> [UInt8] {
        let letters = words.letters(of: word)
        return (0..<letters.count).map { letters[$0] }
    }
}

extension PrefixTrie {
    /// Violations of the order of nodes and of their ranges.
    fileprivate func brokenInvariants() -> [String] {
        var broken: [String] = []
        var nodes = [root]
        while let node = nodes.popLast() {
            let siblings = children(of: node.index)
            if siblings.lowerBound <= node.index && !siblings.isEmpty || siblings.upperBound > count {
                broken.append("the children of trie node \(node.index) are not below it")
                continue
            }
            for child in siblings {
                let range = range(of: child, before: siblings.upperBound, in: node.range)
                if range.isEmpty { broken.append("trie node \(child) is empty or reaches beyond its parent") }
                if child > siblings.lowerBound, letters[child] <= letters[child - 1] {
                    broken.append("trie node \(child) is out of order")
                }
                nodes.append(Node(index: child, range: range))
            }
        }
        return broken
    }
}

extension WordSuffixArray {
    /// The letters of a word suffix.
    func key(_ entry: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        forEachLetter(of: entry, skipping: 0) {
            bytes.append($0)
            return true
        }
        return bytes
    }
}
