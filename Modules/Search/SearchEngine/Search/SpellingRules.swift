/// Groups of letters that sound alike, such as `ei`, `ai` and `ey`, for tiers that find words by their sound.
///
/// A search walks the words of the index along all spellings of the query at once, so the index stores nothing for it.
public final class SpellingRules: Sendable {
    /// Letters that may stand for each other.
    public struct Group: Sendable {
        /// The position in a word where the letters sound alike.
        public enum Place: Sendable {
            /// At any position.
            case anywhere
            /// At the beginning of a word.
            case start
            /// At the end of a word.
            case end
        }

        /// The spellings; an empty one stands for a silent letter.
        public var spellings: [[UInt16]]
        /// The position in a word where the spellings sound alike.
        public var place: Place
        /// The cost of taking one spelling for another, at least 1. Unlikely confusions cost more.
        public var cost: Int

        /// Creates a group.
        public init(_ spellings: [[UInt16]], place: Place = .anywhere, cost: Int = 1) {
            self.spellings = spellings
            self.place = place
            self.cost = cost
        }
    }

    /// Another spelling of typed letters.
    struct Alternative {
        var letters: [UInt16]
        var place: Group.Place
        var cost: Int
    }

    /// The other spellings of each sequence of letters, by its first letter.
    let alternatives: [UInt16: [(typed: [UInt16], others: [Alternative])]]
    /// The minimum number of letters of a word that is spelled in other ways.
    let minLetters: Int
    /// The maximum cost of a spelling, for a long word.
    let maxCost: Int

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - minLetters: The minimum number of letters of a word that is spelled in other ways. Each further letter
    ///     allows one more unit of cost.
    ///   - maxCost: The maximum cost of a spelling.
    public init(_ groups: [Group], minLetters: Int = 4, maxCost: Int = 4) {
        var others: [[UInt16]: [Alternative]] = [:]
        for group in groups {
            for typed in group.spellings where !typed.isEmpty {
                for letters in group.spellings where letters != typed {
                    others[typed, default: []].append(
                        Alternative(letters: letters, place: group.place, cost: group.cost))
                }
            }
        }
        alternatives = Dictionary(grouping: others.map { (typed: $0.key, others: $0.value) }, by: { $0.typed[0] })
        self.minLetters = minLetters
        self.maxCost = maxCost
    }
}

extension SpellingRules: Hashable {
    /// Returns `true` if both values are the same object.
    public static func == (one: SpellingRules, other: SpellingRules) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
