import GRDB
import SwitchboardStorage

/// A disjoint-set forest (Galler and Fischer, 1964) of duplicates, with path halving and union by size.
///
/// The limit of names per group prevents shared numbers and addresses from joining a whole organization, directly or
/// through a chain.
struct DuplicateForest {
    /// The maximum number of names per group, such as a nickname, a former family name and a misspelling.
    static let maximumNames = 3
    /// The maximum number of names that share a number or address whose names are compared with each other.
    private static let largestFamily = 16

    private var indices: [Int64: Int] = [:]
    private var keys: [Int64] = []
    private var sortKeys: [String] = []
    private var parents: [Int] = []
    private var sizes: [Int] = []
    // Valid for roots only.
    private var names: [Set<String>] = []
    private var facts: [(index: Int, fact: SharedFact)] = []

    struct Member {
        let key: Int64
        /// The sorted words of the name, or of the displayed name if there is none.
        let name: String
        let sortKey: String

        /// Reads a row that begins with the columns `key`, `nameKey` and `sortKey` of a contact.
        init(_ row: Row) throws {
            key = try row.value(0)
            sortKey = try row.value(2)
            let nameKey: String = try row.value(1)
            name = nameKey.isEmpty ? sortKey : nameKey
        }
    }

    struct Group {
        var keys: [Int64] = []
        var facts: [SharedFact] = []
        /// The first folded name in sort order.
        var sortKey: String
    }

    /// Joins contacts that share a fact. If they have too many names, only contacts of the same name are joined or, in a
    /// family, of names that may be short for one another, such as "J. Roper" and "John Roper".
    ///
    /// - Complexity: O(*n*) for *n* members, amortized.
    mutating func join(_ members: [Member], for fact: SharedFact) {
        guard let first = members.first, members.count > 1 else { return }
        if Set(members.lazy.map(\.name)).count <= DuplicateForest.maximumNames {
            for member in members.dropFirst() { join(first, member, for: fact) }
            return
        }
        var namesakes: [String: Member] = [:]
        for member in members {
            if let other = namesakes[member.name] {
                join(other, member, for: fact)
            } else {
                namesakes[member.name] = member
            }
        }
        guard namesakes.count <= DuplicateForest.largestFamily else { return }
        let people = namesakes.sorted { $0.key < $1.key }.map {
            (words: $0.key.split(separator: " "), member: $0.value)
        }
        for (index, person) in people.enumerated() {
            for other in people[..<index] {
                let (words, otherWords) = (person.words.map(String.init), other.words.map(String.init))
                if NameAsTyped.isContained(words, in: otherWords) || NameAsTyped.isContained(otherWords, in: words) {
                    join(other.member, person.member, for: fact)
                }
            }
        }
    }

    /// Joins two contacts unless their group would exceed the limit of names.
    mutating func join(_ first: Member, _ second: Member, for fact: SharedFact) {
        guard first.key != second.key else { return }
        var (larger, smaller) = (root(of: index(of: first)), root(of: index(of: second)))
        if larger != smaller {
            let joined = names[larger].union(names[smaller])
            guard joined.count <= DuplicateForest.maximumNames else { return }
            if sizes[larger] < sizes[smaller] { swap(&larger, &smaller) }
            parents[smaller] = larger
            sizes[larger] += sizes[smaller]
            names[larger] = joined
            names[smaller] = []
        }
        facts.append((larger, fact))
    }

    /// Returns the groups of at least two contacts, sorted by name.
    mutating func finished() -> [Group] {
        var groups: [Int: Group] = [:]
        for index in keys.indices {
            let root = root(of: index)
            guard sizes[root] > 1 else { continue }
            groups[root, default: Group(sortKey: sortKeys[index])].keys.append(keys[index])
            if let first = groups[root]?.sortKey, sortKeys[index] < first { groups[root]?.sortKey = sortKeys[index] }
        }
        var known: [Int: Set<SharedFact>] = [:]
        for (index, fact) in facts {
            let root = root(of: index)
            if known[root, default: []].insert(fact).inserted { groups[root]?.facts.append(fact) }
        }
        return groups.values.sorted { ($0.sortKey, $0.keys.first ?? 0) < ($1.sortKey, $1.keys.first ?? 0) }
    }

    private mutating func index(of member: Member) -> Int {
        if let index = indices[member.key] { return index }
        let index = keys.count
        indices[member.key] = index
        keys.append(member.key)
        sortKeys.append(member.sortKey)
        parents.append(index)
        sizes.append(1)
        names.append([member.name])
        return index
    }

    private mutating func root(of index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }
}
