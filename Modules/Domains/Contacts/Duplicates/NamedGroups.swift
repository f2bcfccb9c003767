/// Groups of contacts that grow as facts join them, none of which ever has more than some names.
///
/// A disjoint-set forest (Galler and Fischer, 1964) with path halving and union by size. That a group has few names is what keeps
/// numbers and addresses that colleagues share from gluing a company together, also by way of several of them.
struct NamedGroups {
    /// As many different names a group may have: a person under a nickname, a family name from before, and a misspelt one.
    static let mostNames = 3

    private var places: [Int64: Int] = [:]
    private var keys: [Int64] = []
    private var sortKeys: [String] = []
    private var parents: [Int] = []
    private var sizes: [Int] = []
    // Only those of roots are kept up.
    private var names: [Set<String>] = []
    private var facts: [(place: Int, fact: SharedFact)] = []

    /// A contact that may be joined to others.
    struct Member {
        let key: Int64
        /// The words of the name in any order; of one without a name, of what is shown.
        let name: String
        let sortKey: String

        init(key: Int64, nameKey: String, sortKey: String) {
            self.key = key
            name = nameKey.isEmpty ? sortKey : nameKey
            self.sortKey = sortKey
        }
    }

    /// A finished group.
    struct Group {
        var keys: [Int64] = []
        var facts: [SharedFact] = []
        /// The first of its folded names.
        var sortKey: String
    }

    /// Joins those who share a number or an address; if it has more names than one person has, only those of the same name.
    ///
    /// - Complexity: O(*n*) for *n* members, all but constant for each.
    mutating func join(_ members: [Member], for fact: SharedFact) {
        guard let first = members.first, members.count > 1 else { return }
        if Set(members.lazy.map(\.name)).count <= NamedGroups.mostNames {
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
    }

    /// Joins two, unless their group would then have too many names.
    mutating func join(_ first: Member, _ second: Member, for fact: SharedFact) {
        guard first.key != second.key else { return }
        var (larger, smaller) = (root(of: place(of: first)), root(of: place(of: second)))
        if larger != smaller {
            let joined = names[larger].union(names[smaller])
            guard joined.count <= NamedGroups.mostNames else { return }
            if sizes[larger] < sizes[smaller] { swap(&larger, &smaller) }
            parents[smaller] = larger
            sizes[larger] += sizes[smaller]
            names[larger] = joined
            names[smaller] = []
        }
        facts.append((larger, fact))
    }

    /// The groups of two and more, by their names.
    mutating func finished() -> [Group] {
        var groups: [Int: Group] = [:]
        for place in keys.indices {
            let root = root(of: place)
            guard sizes[root] > 1 else { continue }
            groups[root, default: Group(sortKey: sortKeys[place])].keys.append(keys[place])
            if let first = groups[root]?.sortKey, sortKeys[place] < first { groups[root]?.sortKey = sortKeys[place] }
        }
        var known: Set<KnownFact> = []
        for (place, fact) in facts {
            let root = root(of: place)
            if known.insert(KnownFact(root: root, fact: fact)).inserted { groups[root]?.facts.append(fact) }
        }
        return groups.values.sorted { ($0.sortKey, $0.keys.first ?? 0) < ($1.sortKey, $1.keys.first ?? 0) }
    }

    private struct KnownFact: Hashable {
        let root: Int
        let fact: SharedFact
    }

    private mutating func place(of member: Member) -> Int {
        if let place = places[member.key] { return place }
        let place = keys.count
        places[member.key] = place
        keys.append(member.key)
        sortKeys.append(member.sortKey)
        parents.append(place)
        sizes.append(1)
        names.append([member.name])
        return place
    }

    private mutating func root(of place: Int) -> Int {
        var place = place
        while parents[place] != place {
            parents[place] = parents[parents[place]]
            place = parents[place]
        }
        return place
    }
}
