import SwitchboardKeypad

/// A word list in the format of `Scripts/data/build-words`, in mutable memory owned by this object.
final class PackedWords {
    let memory: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - words: Words of the letters a to z and apostrophes, with their costs.
    ///   - pairs: The likely next words of words, with their costs in steps of four.
    init(_ words: [(text: String, cost: UInt16)], pairs: [String: [String: UInt8]] = [:]) {
        let letters = Array("'abcdefghijklmnopqrstuvwxyz")
        let keys = Array("\0".utf8) + Array("22233344455566677778889999".utf8)
        typealias CodedWord = (keys: [UInt8], cost: UInt16, codes: [UInt8], text: String)
        // Sorting is stable.
        let coded = words.map { word -> CodedWord in
            let codes = word.text.map { UInt8(letters.firstIndex(of: $0) ?? 0) }
            return (codes.map { keys[Int($0)] }.filter { $0 != 0 }, word.cost, codes, word.text)
        }.sorted { $0.keys == $1.keys ? $0.cost < $1.cost : $0.keys.lexicographicallyPrecedes($1.keys) }
        var body: [UInt8] = []
        var offsets: [UInt32] = []
        var best: [UInt16] = []
        var previous: [UInt8] = []
        for (number, word) in coded.enumerated() {
            var shared = 0
            if number % 16 == 0 {
                offsets.append(UInt32(body.count))
                best.append(word.cost)
            } else {
                while shared < min(15, word.codes.count, previous.count), word.codes[shared] == previous[shared] {
                    shared += 1
                }
                best[best.count - 1] = min(best[best.count - 1], word.cost)
            }
            let rest = word.codes[shared...]
            body.append(UInt8(shared << 4 | min(15, rest.count)))
            if rest.count >= 15 { body.append(UInt8(rest.count - 15)) }
            body += rest
            previous = word.codes
        }
        let positions = Dictionary(coded.enumerated().map { ($1.text, $0) }) { first, _ in first }
        var index: [UInt32] = []
        var following: [UInt8] = []
        for (word, next) in pairs.sorted(by: { positions[$0.key] ?? 0 < positions[$1.key] ?? 0 }) {
            index += [UInt32(positions[word] ?? 0), UInt32(following.count)]
            var last = 0
            for (position, cost) in next.map({ (positions[$0.key] ?? 0, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
                var delta = position - last
                while delta >= 0x80 {
                    following.append(UInt8(delta & 0x7F | 0x80))
                    delta >>= 7
                }
                following += [UInt8(delta), cost]
                last = position
            }
        }
        var bytes = Array("SBWORDS2".utf8)
        func put(_ value: UInt32, _ width: Int = 4) {
            for shift in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        put(UInt32(coded.count))
        put(UInt32(offsets.count))
        put(UInt32(letters.count), 2)
        put(0, 2)
        put(UInt32(body.count))
        bytes += Array("en\0\0\0\0\0\0".utf8)
        put(UInt32(index.count / 2))
        put(UInt32(following.count))
        for (letter, key) in zip(letters, keys) {
            put(letter.unicodeScalars.first?.value ?? 0, 2)
            bytes += [key, 0]
        }
        for offset in offsets { put(offset) }
        for cost in best + coded.map(\.cost) { put(UInt32(cost), 2) }
        for number in index { put(number) }
        bytes += body + following
        memory = .allocate(byteCount: max(1, bytes.count), alignment: 8)
        memory.copyBytes(from: bytes)
        size = bytes.count
    }

    private let size: Int

    deinit { memory.deallocate() }

    /// Returns the bytes, or the first ones.
    func bytes(_ count: Int? = nil) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: memory.baseAddress, count: min(count ?? size, size)))
    }
}

private func < (left: ([UInt8], Int, Int), right: ([UInt8], Int, Int)) -> Bool {
    if left.0 != right.0 { return left.0.lexicographicallyPrecedes(right.0) }
    return (left.1, left.2) < (right.1, right.2)
}
