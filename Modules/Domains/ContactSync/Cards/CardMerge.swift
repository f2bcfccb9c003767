/// What becomes of a contact that was changed both in its file and in this book since they last agreed.
///
/// What only one side has changed is taken from there. Where both have changed one thing differently, the file wins, and what
/// stood here is kept in a further line of the card: a note below the other one, anything else as `X-OTHER-` and its property. So
/// nothing that either side says is lost.
struct CardMerge {
    /// What both agree on.
    private(set) var statements: CardStatements
    /// The properties that both have changed differently, in words.
    private(set) var conflicts: [String] = []

    /// Brings both sides together.
    ///
    /// - Parameter base: the fingerprints of what both said when they last agreed.
    init(file: CardStatements, ours: CardStatements, base: Set<UInt64>) {
        statements = CardStatements([])
        var result = name(file, ours, base)
        var order = file.names(with: ours)
        order.removeAll { CardMerge.nameProperties.contains($0) }
        for name in order.filter(CardMerge.isSingle) {
            result += single(name, file.of(name), ours.of(name), base)
        }
        // What both have taken away or changed, and no conflict has told of yet.
        let present = Set((file.all + ours.all).map(\.fingerprint))
        let hasLost = base.subtracting(present).count > conflicts.count
        for name in order.filter({ !CardMerge.isSingle($0) }) {
            let (theirs, mine) = (file.of(name), ours.of(name))
            result += several(name, theirs, mine, base)
            if hasLost { tellReplacement(name, theirs, mine, base) }
        }
        var seen: Set<CardStatement> = []
        statements = CardStatements(result.filter { seen.insert($0).inserted })
    }

    private static let nameProperties = ["FN", "N"]

    /// The whole name and its parts, which go together.
    private mutating func name(
        _ file: CardStatements, _ ours: CardStatements, _ base: Set<UInt64>
    ) -> [CardStatement] {
        let theirs = CardMerge.nameProperties.flatMap { file.of($0) }
        let mine = CardMerge.nameProperties.flatMap { ours.of($0) }
        if theirs.allSatisfy({ base.contains($0.fingerprint) }) { return mine }
        if theirs == mine || mine.allSatisfy({ base.contains($0.fingerprint) }) { return theirs }
        conflicts.append("name")
        guard let whole = ours.of("FN").first, !file.of("FN").contains(whole) else { return theirs }
        return theirs + [CardStatement(name: "X-OTHER-NAME", lines: ["X-OTHER-NAME:" + whole.value])]
    }

    private static func isConflict(_ theirs: [CardStatement], _ mine: [CardStatement], _ base: Set<UInt64>) -> Bool {
        guard theirs != mine, !theirs.isEmpty, !mine.isEmpty else { return false }
        let (added, further) = (theirs.filter { !mine.contains($0) }, mine.filter { !theirs.contains($0) })
        return added.contains { !base.contains($0.fingerprint) } && further.contains { !base.contains($0.fingerprint) }
    }

    /// A thing of which a contact has one.
    private mutating func single(
        _ name: String, _ theirs: [CardStatement], _ mine: [CardStatement], _ base: Set<UInt64>
    ) -> [CardStatement] {
        if theirs == mine { return theirs }
        if CardMerge.isConflict(theirs, mine, base) {
            conflicts.append(CardMerge.words[name] ?? name.lowercased())
            if name == "NOTE", let note = theirs.first, let further = mine.first {
                return [note.joined(with: further)]
            }
            return theirs + mine.filter { !theirs.contains($0) && !base.contains($0.fingerprint) }.map(\.kept)
        }
        return several(name, theirs, mine, base, reportsConflicts: false)
    }

    /// A thing of which a contact has several: what one side has added is added, what one has taken away is away.
    private mutating func several(
        _ name: String, _ theirs: [CardStatement], _ mine: [CardStatement], _ base: Set<UInt64>,
        reportsConflicts: Bool = true
    ) -> [CardStatement] {
        var result = theirs.filter { mine.contains($0) || !base.contains($0.fingerprint) }
        for statement in mine where !theirs.contains(statement) && !base.contains(statement.fingerprint) {
            // The same number under another label.
            let isThere = theirs.contains { $0.value.isSame(as: statement.value) && !mine.contains($0) }
            guard isThere else {
                result.append(statement)
                continue
            }
            if reportsConflicts { conflicts.append(CardMerge.words[name] ?? name.lowercased()) }
            result.append(statement.kept)
        }
        return result
    }

    /// Tells of a number that was another one before and is a different one on each side now; both are kept.
    private mutating func tellReplacement(
        _ name: String, _ theirs: [CardStatement], _ mine: [CardStatement], _ base: Set<UInt64>
    ) {
        guard let word = CardMerge.words[name], !conflicts.contains(word) else { return }
        let added = Set(theirs.filter { !mine.contains($0) && !base.contains($0.fingerprint) }.map(\.head))
        let further = mine.filter { !theirs.contains($0) && !base.contains($0.fingerprint) }.map(\.head)
        if !added.isDisjoint(with: further) { conflicts.append(word) }
    }

    private static func isSingle(_ name: String) -> Bool { words[name] != nil && !plural.contains(name) }

    private static let plural: Set<String> = ["TEL", "EMAIL", "ADR", "URL"]

    private static let words = [
        "NICKNAME": "nickname", "X-PHONETIC-FIRST-NAME": "phonetic name",
        "X-PHONETIC-LAST-NAME": "phonetic name", "ORG": "organization", "TITLE": "title", "BDAY": "birthday",
        "NOTE": "note", "PHOTO": "photo", "CATEGORIES": "groups", "TEL": "phones", "EMAIL": "emails",
        "ADR": "addresses", "URL": "urls",
    ]
}

extension CardStatement {
    /// The statement of another side, kept where it is in nobody's way.
    fileprivate var kept: CardStatement {
        let name = "X-OTHER-" + name
        guard let line = lines.first else { return self }
        let (head, value) = CardStatement.halves(of: line)
        var parameters = head.firstIndex(of: ";").map { String(head[$0...]) } ?? ""
        if let label = lines.dropFirst().first {
            let words = CardStatement.halves(of: label).value.filter { !"\",;:\\".contains($0) }
            parameters += ";X-LABEL=\"\(words)\""
        }
        return CardStatement(name: name, lines: [name + parameters + ":" + value])
    }

    /// A note with another one below it; the longer one where it says the other one, too.
    fileprivate func joined(with other: CardStatement) -> CardStatement {
        if value.contains(other.value) { return self }
        if other.value.contains(value) { return other }
        return CardStatement(name: name, lines: [head + ":" + value + "\\n\\n" + other.value])
    }
}

extension Substring {
    /// Whether two numbers or addresses differ in their writing alone.
    fileprivate func isSame(as other: Substring) -> Bool {
        func essence(_ text: Substring) -> String { text.lowercased().filter { !" -.()/".contains($0) } }
        return essence(self) == essence(other)
    }
}
