extension SearchIndex {
    /// Checks every invariant of every structure: orders, bounds, minima. For tests and for those who change the
    /// builder; O(size · log size).
    /// - Returns: What is broken, one line each; empty if all is well.
    public func brokenInvariants() -> [String] {
        fields.enumerated().flatMap { number, field in
            field.brokenInvariants(documents: documentCount).map { "lane \(number): \($0)" }
        }
    }
}

extension Field {
    func brokenInvariants(documents: Int) -> [String] {
        var broken: [String] = []
        func check(_ condition: Bool, _ what: @autoclosure () -> String) {
            if !condition { broken.append(what()) }
        }
        for word in 1..<Swift.max(words.count, 1) {
            let order = compareBytes(
                words.start(of: word - 1), words.length(of: word - 1), words.start(of: word), words.length(of: word))
            check(order < 0, "words \(word - 1) and \(word) are not in order")
        }
        for token in 0..<forward.tokens.count {
            check(forward.word(token) < words.count, "occurrence \(token) names no word")
        }
        for document in 0..<documents {
            check(
                forward.offsets[document] <= forward.offsets[document + 1], "record \(document) ends before it starts")
            let range = forward.range(of: document)
            check(range.isEmpty || forward.startsValue(range.lowerBound), "record \(document) does not start a field")
        }
        if let wordSuffixes {
            for entry in 1..<Swift.max(wordSuffixes.count, 1) {
                let key = Array(wordSuffixes.key(entry).prefix(WordSuffixArray.longestRun))
                let order = key.withUnsafeBufferPointer { wordSuffixes.compare(entry - 1, to: $0).order }
                check(order <= 0, "runs \(entry - 1) and \(entry) are not in order")
            }
            for low in stride(from: 0, to: wordSuffixes.count, by: Swift.max(1, wordSuffixes.count / 50)) {
                for high in stride(
                    from: low + 1, through: wordSuffixes.count, by: Swift.max(1, wordSuffixes.count / 40))
                {
                    let position = wordSuffixes.minima.position(low, high)
                    let smallest = (low..<high).map { wordSuffixes.documents[$0] }.min()
                    check(
                        position >= low && position < high && wordSuffixes.documents[position] == smallest,
                        "the minimum of runs \(low)..<\(high) is wrong")
                }
            }
        }
        if let trie = wordSuffixes?.trie { broken += trie.brokenInvariants() }
        if let suffixes {
            for word in 0..<words.count {
                let list = suffixes.postingRange(of: word)
                for position in list.dropFirst() {
                    check(
                        suffixes.postings[position - 1] < suffixes.postings[position],
                        "the postings of word \(word) are not ascending")
                }
            }
        }
        return broken
    }
}

extension PrefixTrie {
    /// Children that are not side by side, out of order, or reach beyond their parent.
    fileprivate func brokenInvariants() -> [String] {
        var broken: [String] = []
        if children.count != count + 1 || low.count != count || ![0, entries].contains(nextLetters.count) {
            return ["the trie's arrays do not fit"]
        }
        var places = [root]
        while let place = places.popLast() {
            let siblings = children(of: place.node)
            if siblings.lowerBound <= place.node && !siblings.isEmpty || siblings.upperBound > count {
                broken.append("the children of trie node \(place.node) are not below it")
                continue
            }
            for child in siblings {
                let range =
                    Int(
                        low[child])..<Swift.max(
                        Int(low[child]), high(of: child, before: siblings.upperBound, in: place.high))
                if range.isEmpty || range.lowerBound < place.low || range.upperBound > place.high {
                    broken.append("trie node \(child) is empty or reaches beyond its parent")
                }
                if child > siblings.lowerBound, letters[child] <= letters[child - 1] {
                    broken.append("trie node \(child) is out of order")
                }
                places.append(Place(node: child, low: range.lowerBound, high: range.upperBound))
            }
        }
        return broken
    }
}

extension WordSuffixArray {
    /// The letters of a run, for checks.
    func key(_ entry: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        forEachLetter(of: entry, skipping: 0) {
            bytes.append($0)
            return true
        }
        return bytes
    }
}
