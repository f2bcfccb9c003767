import Foundation
import SwitchboardContacts
import SwitchboardVCard

/// Updates a file to describe a contact and keeps all other bytes of the file.
///
/// Only the lines of changed properties are removed, added or given a new value. Unknown properties, the order, groups,
/// parameters, folding and line endings stay. `UID` never changes; `REV` becomes the current time if present. A card of
/// version 2.1, a card that is not UTF-8, and a card whose lines cannot be mapped are rewritten as version 3.0 with all
/// their properties.
enum CardPatch {
    /// Returns the bytes of the updated file, or the same bytes if it already describes the contact.
    static func bytes(of file: CardFile, describing contact: Contact, now: Date, region: String?) throws -> [UInt8] {
        let target = CanonicalCard(contact)
        let present = file.canonical
        if Set(present.properties) == Set(target.properties) { return file.bytes }
        // A line in UTF-8 would be misread in a file of another encoding.
        guard file.card.version != "2.1", file.card.firstAssumedLine == nil, var lines = CardLines(file) else {
            return contact.card(.version3, identifier: file.identifier)
        }
        try lines.readCanonicalProperties(region: region)
        var edit = CardEdit(lines, file: file, contact: contact)
        for name in present.names(with: target)
        where present.properties(named: name) != target.properties(named: name) {
            edit.change(name, from: present.properties(named: name), to: target.properties(named: name))
        }
        edit.setRevision(now)
        let patched = edit.bytes
        // Verifies the result by parsing it: properties that depend on each other may parse differently.
        let parsed = try? CardFile(patched, region: region)
        if let parsed, Set(parsed.canonical.properties) == Set(target.properties) { return patched }
        guard let parsed else { return contact.card(edit.version, identifier: file.identifier) }
        let rest = parsed.canonical
        for name in rest.names(with: target)
        where Set(rest.properties(named: name)) != Set(target.properties(named: name)) {
            edit.replaceAll(name, with: target.properties(named: name))
        }
        let replaced = edit.bytes
        // Lines whose boundaries were mistaken could change other properties.
        guard let parsed = try? CardFile(replaced, region: region),
            Set(parsed.canonical.properties) == Set(target.properties)
        else { return contact.card(edit.version, identifier: file.identifier) }
        return replaced
    }
}

private struct CardEdit {
    let version: VCardWriter.Version
    private var lines: [CardLines.Segment]
    private let lineEnding: [UInt8]
    /// The notation of each canonical property in the version of the file.
    private var notations: [CanonicalProperty: CanonicalProperty] = [:]
    private var groups: Set<String>

    init(_ lines: CardLines, file: CardFile, contact: Contact) {
        version = file.card.version == "4.0" ? .version4 : .version3
        self.lines = lines.segments
        lineEnding = lines.lineEnding
        groups = Set(file.card.properties.map { $0.group.lowercased() })
        let canonical = CanonicalCard(contact).properties
        let written = CanonicalCard(contact, version: version).properties
        guard canonical.count == written.count else { return }
        for (property, notation) in zip(canonical, written) { notations[property] = notation }
    }

    var bytes: [UInt8] { lines.flatMap(\.bytes) }

    mutating func change(_ name: String, from present: [CanonicalProperty], to target: [CanonicalProperty]) {
        let removed = present.filter { !target.contains($0) }
        var added = target.filter { !present.contains($0) }
        var unmapped = Set(removed)
        var positions: [Int] = []
        for index in lines.indices {
            let canonical = lines[index].canonical
            guard !canonical.isEmpty, canonical.allSatisfy({ removed.contains($0) }) else { continue }
            unmapped.subtract(canonical)
            positions.append(index)
        }
        // A property that depends on several lines cannot be edited in place.
        guard unmapped.isEmpty || name == "N" || name == "FN" else { return replaceAll(name, with: target) }
        // A changed value goes to the line with the same label, the rest to the remaining lines in order.
        var pairs: [(position: Int, property: CanonicalProperty)] = []
        for position in positions {
            let heads = lines[position].canonical.map(\.head)
            guard let match = added.firstIndex(where: { heads.contains($0.head) }) else { continue }
            pairs.append((position, added.remove(at: match)))
        }
        let free = positions.filter { position in !pairs.contains { $0.position == position } }
        for position in free where !added.isEmpty { pairs.append((position, added.removeFirst())) }
        for (position, property) in pairs { replaceLine(at: position, with: property) }
        for position in positions where !pairs.contains(where: { $0.position == position }) { remove(position) }
        for property in added { insert(property) }
    }

    mutating func replaceAll(_ name: String, with target: [CanonicalProperty]) {
        for index in lines.indices {
            let line = lines[index]
            let isOfName = line.property?.name == name || line.canonical.contains { $0.name == name }
            let hasOthers = line.canonical.contains { $0.name != name }
            if isOfName, !hasOthers { remove(index) }
        }
        for property in target { insert(property) }
    }

    /// Replaces the value of a line, and its name and parameters if they differ.
    private mutating func replaceLine(at position: Int, with canonical: CanonicalProperty) {
        let notation = notations[canonical] ?? canonical
        guard let property = lines[position].property else { return }
        let present = lines[position].canonical
        let isSameHead = present.count == 1 && present[0].head == canonical.head
        let isPlain =
            property.name != VCardProperty.unreadLine
            && property.parameters.allSatisfy { !["ENCODING", "CHARSET", "VALUE", "LABEL"].contains($0.name) }
        // The year that stands for an unknown one belongs to the value.
        let omitted = notation.head.contains("X-APPLE-OMIT-YEAR=1604") ? ["1604"] : []
        if isSameHead, isPlain, property.values(of: "X-APPLE-OMIT-YEAR") == omitted, property.name == canonical.name,
            let head = head(of: lines[position].bytes)
        {
            lines[position].bytes = encoded([head + ":" + notation.value])
        } else {
            removeLabel(of: property.group, except: position)
            lines[position].bytes = encoded(withNewGroup(notation.lines))
        }
        lines[position].canonical = [canonical]
    }

    private func head(of bytes: ArraySlice<UInt8>) -> String? {
        var reader = LineReader(ByteStream(Array(bytes)))
        var unfolded: [UInt8] = []
        // Skips the space of a continuation line.
        while (try? reader.appendLine(to: &unfolded, dropping: unfolded.isEmpty ? 0 : 1)) ?? false {}
        guard let line = String(validating: unfolded, as: UTF8.self) else { return nil }
        let head = String(CanonicalProperty.split(line).head)
        return head.utf8.count < unfolded.count && !head.uppercased().contains("QUOTED-PRINTABLE") ? head : nil
    }

    private mutating func insert(_ canonical: CanonicalProperty) {
        let bytes = encoded(withNewGroup((notations[canonical] ?? canonical).lines))
        insert(CardLines.Segment(bytes: bytes, property: nil, canonical: [canonical])) { line in
            line.property?.name == canonical.name || line.canonical.contains { $0.name == canonical.name }
        }
    }

    /// Inserts a line after the last similar one, or at the end.
    private mutating func insert(_ line: CardLines.Segment, after isSimilar: (CardLines.Segment) -> Bool) {
        if let last = lines.lastIndex(where: isSimilar) {
            lines.insert(line, at: last + 1)
        } else if let last = lines.indices.last, let end = CardLines.endOffset(lines[last].bytes) {
            // Splits the last segment before END:VCARD.
            var rest = lines[last]
            rest.bytes = lines[last].bytes[end...]
            lines[last].bytes.removeSubrange(end...)
            lines.append(line)
            lines.append(rest)
        }
    }

    private mutating func remove(_ position: Int) {
        if let group = lines[position].property?.group { removeLabel(of: group, except: position) }
        lines[position] = CardLines.Segment(bytes: [], property: nil)
    }

    /// Removes the label of a group unless another property belongs to the group.
    private mutating func removeLabel(of group: String, except position: Int) {
        guard !group.isEmpty else { return }
        let members = lines.indices.filter { lines[$0].property?.group.lowercased() == group.lowercased() }
        let labels = members.filter { ["X-ABLABEL", "X-ABADR"].contains(lines[$0].property?.name ?? "") }
        guard members.allSatisfy({ $0 == position || labels.contains($0) }) else { return }
        for label in labels { lines[label] = CardLines.Segment(bytes: [], property: nil) }
    }

    mutating func setRevision(_ now: Date) {
        guard let position = lines.firstIndex(where: { $0.property?.name == "REV" }),
            let head = head(of: lines[position].bytes)
        else { return }
        lines[position].bytes = encoded([head + ":" + now.basicISO8601])
    }

    /// Returns lines with a group name that is unique in the file.
    private mutating func withNewGroup(_ lines: [String]) -> [String] {
        let group = CanonicalCard.group + "."
        guard lines.contains(where: { $0.hasPrefix(group) }) else { return lines }
        var number = 1
        while !groups.insert("\(CanonicalCard.group)\(number)").inserted { number += 1 }
        return lines.map { line in
            line.hasPrefix(group) ? "\(CanonicalCard.group)\(number)." + line.dropFirst(group.count) : line
        }
    }

    /// Returns the bytes of folded lines with the line ending of the file.
    private func encoded(_ texts: [String]) -> ArraySlice<UInt8> {
        var lines = VCardLines()
        for text in texts { lines.add(text) }
        if lineEnding == [0x0D, 0x0A] { return Array(lines.text.utf8)[...] }
        return lines.text.utf8.flatMap { $0 == 0x0D ? [] : $0 == 0x0A ? lineEnding : [$0] }[...]
    }
}

// MARK: - Group cards

/// Updates the card of a group, and keeps all other bytes.
enum GroupCardPatch {
    /// Returns the bytes of a card that lists some members, or the same bytes if it does already or cannot be changed.
    static func bytes(of file: CardFile, listing members: [String], now: Date) -> [UInt8] {
        guard let lines = CardLines(file) else { return file.bytes }
        var edit = CardEdit(lines, file: file, contact: Contact())
        guard edit.setMembers(members) else { return file.bytes }
        edit.setRevision(now)
        return edit.bytes
    }

    /// Returns a card in another version; nil if it cannot be changed.
    static func bytes(of file: CardFile, in version: VCardWriter.Version) -> [UInt8]? {
        guard let lines = CardLines(file) else { return nil }
        var edit = CardEdit(lines, file: file, contact: Contact())
        edit.setGroupVersion(version, from: file.card.version)
        return edit.bytes
    }
}

extension CardEdit {
    /// Removes and adds the lines of members. Returns `true` if that changed any.
    fileprivate mutating func setMembers(_ members: [String]) -> Bool {
        var missing = Set(members)
        let gone = lines.indices.filter { index in
            lines[index].property.flatMap(GroupCard.member).map { missing.remove($0) == nil } ?? false
        }
        for index in gone { lines[index].bytes = [] }
        for member in missing.sorted() {
            insert(CardLines.Segment(bytes: encoded([GroupCard.line(of: member, version)]), property: nil)) { line in
                line.property.map { GroupCard.member($0) != nil } ?? false
            }
        }
        return !gone.isEmpty || !missing.isEmpty
    }

    /// Renames the properties that have other names in another version.
    fileprivate mutating func setGroupVersion(_ version: VCardWriter.Version, from old: String) {
        let apple = "X-ADDRESSBOOKSERVER-"
        for index in lines.indices {
            guard let property = lines[index].property else {
                let text = String(decoding: lines[index].bytes, as: UTF8.self)
                let renamed = text.replacing("VERSION:" + old, with: "VERSION:" + version.rawValue)
                lines[index].bytes = Array(renamed.utf8)[...]
                continue
            }
            if let member = GroupCard.member(property) {
                lines[index].bytes = encoded([GroupCard.line(of: member, version)])
            } else if ["KIND", apple + "KIND"].contains(property.name) {
                lines[index].bytes = encoded([(version == .version4 ? "" : apple) + "KIND:" + property.value])
            }
        }
    }
}

// MARK: - Lines of a card

/// The content lines of a card file, each property with its exact bytes.
///
/// An edit replaces the lines of a property; all other bytes of the file stay.
private struct CardLines {
    /// A range of bytes: a property with its continuation lines, or the bytes between two properties.
    struct Segment {
        var bytes: ArraySlice<UInt8>
        /// The property, or nil for bytes between properties.
        var property: VCardProperty?
        /// The property in canonical form; empty if the reader ignores it.
        var canonical: [CanonicalProperty] = []
    }

    private(set) var segments: [Segment] = []
    let lineEnding: [UInt8]

    /// Splits a file; nil if its lines cannot be mapped to the parsed properties (UTF-16, a card within a card).
    init?(_ file: CardFile) {
        let bytes = file.bytes
        let starts = CardLines.lineStarts(of: bytes)
        lineEnding = CardLines.firstLineEnding(of: bytes)
        let properties = file.card.properties.sorted { $0.line < $1.line }
        var next = 0
        for property in properties {
            let (first, last) = (property.line - 1, property.lastLine)
            // Two properties on one line cannot be separated.
            guard first >= next, first < last, last <= starts.count else { return nil }
            append(bytes[CardLines.offset(ofLine: next, starts, bytes)..<starts[first]])
            let own = bytes[starts[first]..<CardLines.offset(ofLine: last, starts, bytes)]
            // Guards against a wrong line number.
            guard CardLines.begins(own, with: property) else { return nil }
            segments.append(Segment(bytes: own, property: property))
            next = last
        }
        append(bytes[CardLines.offset(ofLine: next, starts, bytes)...])
        guard let last = segments.last, last.property == nil, CardLines.endOffset(last.bytes) != nil else { return nil }
    }

    private mutating func append(_ rest: ArraySlice<UInt8>) {
        if !rest.isEmpty { segments.append(Segment(bytes: rest, property: nil)) }
    }

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts: [Int] = bytes.isEmpty ? [] : [0]
        for (index, byte) in bytes.enumerated() {
            let isEnd = byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A))
            if isEnd, index + 1 < bytes.count { starts.append(index + 1) }
        }
        return starts
    }

    private static func firstLineEnding(of bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0D, 0x0A] }
        if bytes[end] == 0x0A { return [0x0A] }
        return end + 1 < bytes.count && bytes[end + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }

    private static func offset(ofLine line: Int, _ starts: [Int], _ bytes: [UInt8]) -> Int {
        line < starts.count ? starts[line] : bytes.count
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, with property: VCardProperty) -> Bool {
        if property.name == VCardProperty.unreadLine {
            return String(decoding: bytes, as: UTF8.self).hasPrefix(property.text.prefix(8))
        }
        var start = bytes
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        let head = String(
            decoding: start.prefix(property.group.utf8.count + property.name.utf8.count + 8), as: UTF8.self)
        return head.uppercased().contains(property.name.prefix(16))
    }

    /// Returns the offset of END:VCARD in the last bytes of a file.
    static func endOffset(_ bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
            if isEnd(bytes[start..<index]) { return start }
            start = index + 1
        }
        return isEnd(bytes[start...]) ? start : nil
    }

    private static func isEnd(_ line: ArraySlice<UInt8>) -> Bool {
        line.count < 64
            && String(decoding: line, as: UTF8.self).uppercased().filter { $0 != " " }.hasPrefix("END:VCARD")
    }
}

// MARK: - Canonical form

extension CardLines {
    /// Parses each property on its own to find the canonical properties that it yields.
    mutating func readCanonicalProperties(region: String?) throws {
        var reader = try VCardReader(ByteStream(Array("BEGIN:VCARD\r\nFN:x\r\nEND:VCARD\r\n".utf8)))
        guard let emptyCard = try reader.next() else { return }
        let labels = segments.compactMap(\.property).filter { $0.name == "X-ABLABEL" && !$0.group.isEmpty }
        for index in segments.indices {
            guard let property = segments[index].property, property.name != "UID", property.name != "REV" else {
                continue
            }
            var card = emptyCard
            card.properties = property.name == "FN" ? [property] : card.properties + [property]
            card.properties += labels.filter { $0.group.lowercased() == property.group.lowercased() }
            guard let contact = try? Contact(card, region: region) else { continue }
            let isName = ["FN", "N"].contains(property.name)
            segments[index].canonical = CanonicalCard(contact).properties.filter { canonical in
                isName ? canonical.name == property.name : !["FN", "N"].contains(canonical.name)
            }
        }
    }
}
