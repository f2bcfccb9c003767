import SwitchboardAlgorithms
import SwitchboardContacts

/// A three-way merge of a card that changed both in its file and in the book.
///
/// A property that only one side changed is taken from that side. If both sides changed a property differently, the
/// file wins and the book's value is preserved in another line of the card: a note is appended to the other note,
/// anything else becomes `X-OTHER-` and its property name. No value of either side is lost.
struct CardMerge {
    private(set) var canonical: CanonicalCard
    /// The names of the properties that both sides changed differently, as shown to users.
    private(set) var conflicts: [String] = []

    /// Merges two versions of a card.
    ///
    /// - Parameter base: The fingerprints of the last version that both sides agreed on.
    init(file: CanonicalCard, ours: CanonicalCard, base: Set<UInt64>) {
        canonical = CanonicalCard([])
        var result = mergeName(file, ours, base)
        var order = file.names(with: ours)
        order.removeAll { CardMerge.nameProperties.contains($0) }
        for name in order.filter(CardMerge.isSingle) {
            result += mergeSingle(name, file.properties(named: name), ours.properties(named: name), base)
        }
        // Values of the base that neither side has and no conflict explains yet.
        let present = Set((file.properties + ours.properties).map(\.fingerprint))
        let hasLost = base.subtracting(present).count > conflicts.count
        for name in order.filter({ !CardMerge.isSingle($0) }) {
            let (theirs, mine) = (file.properties(named: name), ours.properties(named: name))
            result += mergeList(name, theirs, mine, base)
            if hasLost { reportReplacement(name, theirs, mine, base) }
        }
        canonical = CanonicalCard(result.uniqued)
    }

    private static let nameProperties = ["FN", "N"]

    /// Merges the formatted name and its components as one unit.
    private mutating func mergeName(
        _ file: CanonicalCard, _ ours: CanonicalCard, _ base: Set<UInt64>
    ) -> [CanonicalProperty] {
        let theirs = CardMerge.nameProperties.flatMap { file.properties(named: $0) }
        let mine = CardMerge.nameProperties.flatMap { ours.properties(named: $0) }
        if theirs.allSatisfy({ base.contains($0.fingerprint) }) { return mine }
        if theirs == mine || mine.allSatisfy({ base.contains($0.fingerprint) }) { return theirs }
        conflicts.append("name")
        guard let whole = ours.properties(named: "FN").first, !file.properties(named: "FN").contains(whole) else {
            return theirs
        }
        return theirs + [CanonicalProperty(name: "X-OTHER-NAME", lines: ["X-OTHER-NAME:" + whole.value])]
    }

    private static func isConflict(
        _ theirs: [CanonicalProperty], _ mine: [CanonicalProperty], _ base: Set<UInt64>
    ) -> Bool {
        guard theirs != mine, !theirs.isEmpty, !mine.isEmpty else { return false }
        let (added, further) = (theirs.filter { !mine.contains($0) }, mine.filter { !theirs.contains($0) })
        return added.contains { !base.contains($0.fingerprint) } && further.contains { !base.contains($0.fingerprint) }
    }

    /// Merges a property that a contact has at most once.
    private mutating func mergeSingle(
        _ name: String, _ theirs: [CanonicalProperty], _ mine: [CanonicalProperty], _ base: Set<UInt64>
    ) -> [CanonicalProperty] {
        if theirs == mine { return theirs }
        if CardMerge.isConflict(theirs, mine, base) {
            conflicts.append(CardMerge.fieldNames[name] ?? name.lowercased())
            if name == "NOTE", let note = theirs.first, let further = mine.first {
                return [note.appending(further)]
            }
            return theirs + mine.filter { !theirs.contains($0) && !base.contains($0.fingerprint) }.map(\.preserved)
        }
        return mergeList(name, theirs, mine, base, reportsConflicts: false)
    }

    /// Merges a property that a contact may have several times: additions and removals of both sides apply.
    private mutating func mergeList(
        _ name: String, _ theirs: [CanonicalProperty], _ mine: [CanonicalProperty], _ base: Set<UInt64>,
        reportsConflicts: Bool = true
    ) -> [CanonicalProperty] {
        var result = theirs.filter { mine.contains($0) || !base.contains($0.fingerprint) }
        for property in mine where !theirs.contains(property) && !base.contains(property.fingerprint) {
            // The same number under another label is a conflict.
            let isPresent = theirs.contains { $0.value.isSame(as: property.value) && !mine.contains($0) }
            guard isPresent else {
                result.append(property)
                continue
            }
            if reportsConflicts { conflicts.append(CardMerge.fieldNames[name] ?? name.lowercased()) }
            result.append(property.preserved)
        }
        return result
    }

    /// Reports a value that each side replaced with a different one. Both values are kept.
    private mutating func reportReplacement(
        _ name: String, _ theirs: [CanonicalProperty], _ mine: [CanonicalProperty], _ base: Set<UInt64>
    ) {
        guard let field = CardMerge.fieldNames[name], !conflicts.contains(field) else { return }
        let added = Set(theirs.filter { !mine.contains($0) && !base.contains($0.fingerprint) }.map(\.head))
        let further = mine.filter { !theirs.contains($0) && !base.contains($0.fingerprint) }.map(\.head)
        if !added.isDisjoint(with: further) { conflicts.append(field) }
    }

    private static func isSingle(_ name: String) -> Bool { fieldNames[name] != nil && !listProperties.contains(name) }

    private static let listProperties: Set<String> = ["TEL", "EMAIL", "ADR", "URL"]

    private static let fieldNames = [
        "NICKNAME": "nickname", "ORG": "organization", "BDAY": "birthday", "NOTE": "note", "PHOTO": "photo",
        "CATEGORIES": "groups", "TEL": "phones", "EMAIL": "emails", "ADR": "addresses", "URL": "urls",
    ].merging(ContactTextField.byProperty.mapValues(\.label)) { name, _ in name }
}

extension CanonicalProperty {
    /// The property under a name that starts with `X-OTHER-`, which other programs ignore.
    fileprivate var preserved: CanonicalProperty {
        let name = "X-OTHER-" + name
        guard let line = lines.first else { return self }
        let (head, value) = CanonicalProperty.split(line)
        var parameters = head.firstIndex(of: ";").map { String(head[$0...]) } ?? ""
        if let label = lines.dropFirst().first {
            let words = CanonicalProperty.split(label).value.filter { !"\",;:\\".contains($0) }
            parameters += ";X-LABEL=\"\(words)\""
        }
        return CanonicalProperty(name: name, lines: [name + parameters + ":" + value])
    }

    /// Returns the note followed by another one, or the longer note if it contains the other.
    fileprivate func appending(_ other: CanonicalProperty) -> CanonicalProperty {
        if value.contains(other.value) { return self }
        if other.value.contains(value) { return other }
        return CanonicalProperty(name: name, lines: [head + ":" + value + "\\n\\n" + other.value])
    }
}

extension Substring {
    /// Returns `true` if two values differ only in case and punctuation.
    fileprivate func isSame(as other: Substring) -> Bool {
        func normalized(_ text: Substring) -> String { text.lowercased().filter { !" -.()/".contains($0) } }
        return normalized(self) == normalized(other)
    }
}
