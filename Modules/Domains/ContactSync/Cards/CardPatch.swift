import Foundation
import SwitchboardContacts
import SwitchboardVCard

/// Changes a file so that its card says what a contact says, and leaves all else in it as it is, byte for byte.
///
/// Only the lines of what has changed are taken out, put in, or given another value; a property that this book does not know, the
/// order, groups, parameters, folds and line ends stay. `UID` never changes; `REV` becomes the present time if it is there. A card
/// of version 2.1, one that is not UTF-8, or one whose lines cannot be told apart, is written anew as version 3.0, with every property that it had.
enum CardPatch {
    /// The bytes of the changed file; the same ones if it says it all already.
    static func bytes(of file: CardFile, saying contact: Contact, now: Date, region: String?) throws -> [UInt8] {
        let wanted = CardStatements(contact)
        let present = file.statements
        if Set(present.all) == Set(wanted.all) { return file.bytes }
        // A line in UTF-8 among others would be read wrongly by whoever takes the file for something else.
        guard file.card.version != "2.1", file.card.firstAssumedLine == nil, var lines = CardLines(file) else {
            return contact.card(.version3, identifier: file.identifier)
        }
        try lines.readStatements(region: region)
        var edit = CardEdit(lines, file: file, contact: contact)
        for name in present.names(with: wanted) where present.of(name) != wanted.of(name) {
            edit.change(name, from: present.of(name), to: wanted.of(name))
        }
        edit.setRevision(now)
        let patched = edit.bytes
        // What the reader makes of it counts. Properties that lean on each other may have been read otherwise.
        let read = try? CardFile(patched, region: region)
        if let read, Set(read.statements.all) == Set(wanted.all) { return patched }
        guard let read else { return contact.card(edit.version, identifier: file.identifier) }
        let rest = read.statements
        for name in rest.names(with: wanted) where Set(rest.of(name)) != Set(wanted.of(name)) {
            edit.replaceAll(name, by: wanted.of(name))
        }
        let replaced = edit.bytes
        return (try? CardFile(replaced, region: region)) == nil
            ? contact.card(edit.version, identifier: file.identifier) : replaced
    }
}

/// The changing of a file's lines.
private struct CardEdit {
    private struct Line {
        var bytes: [UInt8]
        var property: VCardProperty?
        var statements: [CardStatement]
    }

    let version: VCardWriter.Version
    private var lines: [Line]
    private let lineEnd: [UInt8]
    /// How the version of the file writes a statement.
    private var writings: [CardStatement: CardStatement] = [:]
    private var groups: Set<String>

    init(_ lines: CardLines, file: CardFile, contact: Contact) {
        version = file.card.version == "4.0" ? .version4 : .version3
        self.lines = lines.pieces.map {
            Line(bytes: Array($0.bytes), property: $0.property, statements: $0.statements)
        }
        lineEnd = lines.lineEnd
        groups = Set(file.card.properties.map { $0.group.lowercased() })
        let (canonical, written) = (CardStatements(contact).all, CardStatements(contact, version: version).all)
        guard canonical.count == written.count else { return }
        for (statement, writing) in zip(canonical, written) { writings[statement] = writing }
    }

    var bytes: [UInt8] { lines.flatMap(\.bytes) }

    mutating func change(_ name: String, from present: [CardStatement], to wanted: [CardStatement]) {
        let gone = present.filter { !wanted.contains($0) }
        var new = wanted.filter { !present.contains($0) }
        var unheard = Set(gone)
        var places: [Int] = []
        for index in lines.indices {
            let said = lines[index].statements
            guard !said.isEmpty, said.allSatisfy({ gone.contains($0) }) else { continue }
            unheard.subtract(said)
            places.append(index)
        }
        // No line says it alone: several do together.
        guard unheard.isEmpty || name == "N" || name == "FN" else { return replaceAll(name, by: wanted) }
        // A changed value goes to the line with the same label, what is left to the places in their order.
        var pairs: [(place: Int, statement: CardStatement)] = []
        for place in places {
            let heads = lines[place].statements.map(\.head)
            guard let match = new.firstIndex(where: { heads.contains($0.head) }) else { continue }
            pairs.append((place, new.remove(at: match)))
        }
        let free = places.filter { place in !pairs.contains { $0.place == place } }
        for place in free where !new.isEmpty { pairs.append((place, new.removeFirst())) }
        for (place, statement) in pairs { put(statement, at: place) }
        for place in places where !pairs.contains(where: { $0.place == place }) { remove(place) }
        for statement in new { insert(statement) }
    }

    mutating func replaceAll(_ name: String, by wanted: [CardStatement]) {
        for index in lines.indices {
            let line = lines[index]
            let isOfName = line.property?.name == name || line.statements.contains { $0.name == name }
            let saysMore = line.statements.contains { $0.name != name }
            if isOfName, !saysMore { remove(index) }
        }
        for statement in wanted { insert(statement) }
    }

    /// Gives a line another value, and, unless its name and parameters say the same, other ones.
    private mutating func put(_ statement: CardStatement, at place: Int) {
        let writing = writings[statement] ?? statement
        guard let property = lines[place].property else { return }
        let isSameHead = lines[place].statements.count == 1 && lines[place].statements[0].head == statement.head
        let isPlain = property.parameters.allSatisfy { !["ENCODING", "CHARSET", "VALUE", "LABEL"].contains($0.name) }
        if isSameHead, isPlain, property.name == statement.name, let head = head(of: lines[place].bytes) {
            lines[place].bytes = written([head + ":" + writing.value])
        } else {
            removeLabel(of: property.group, but: place)
            lines[place].bytes = written(numbered(writing.lines))
        }
        lines[place].statements = [statement]
    }

    /// The name and the parameters of a line as they stand there.
    private func head(of bytes: [UInt8]) -> String? {
        var unfolded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x0D || bytes[index] == 0x0A {
                index += bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
                // The blank that makes it a continuation.
                index += 1
                continue
            }
            unfolded.append(bytes[index])
            index += 1
        }
        guard let line = String(validating: unfolded, as: UTF8.self) else { return nil }
        let head = String(CardStatement.halves(of: line).head)
        return head.utf8.count < unfolded.count && !head.uppercased().contains("QUOTED-PRINTABLE") ? head : nil
    }

    private mutating func insert(_ statement: CardStatement) {
        let bytes = written(numbered((writings[statement] ?? statement).lines))
        let line = Line(bytes: bytes, property: nil, statements: [statement])
        let sameName = lines.lastIndex { line in
            line.property?.name == statement.name || line.statements.contains { $0.name == statement.name }
        }
        if let sameName {
            lines.insert(line, at: sameName + 1)
        } else if let last = lines.indices.last, let end = CardLines.endOffset(lines[last].bytes[...]) {
            // Before END:VCARD, in whose piece the new line then stands.
            var rest = lines[last]
            rest.bytes = Array(lines[last].bytes[end...])
            lines[last].bytes.removeSubrange(end...)
            lines.append(line)
            lines.append(rest)
        }
    }

    private mutating func remove(_ place: Int) {
        if let group = lines[place].property?.group { removeLabel(of: group, but: place) }
        lines[place] = Line(bytes: [], property: nil, statements: [])
    }

    /// Takes the label of a group away if no other property belongs to the group.
    private mutating func removeLabel(of group: String, but place: Int) {
        guard !group.isEmpty else { return }
        let members = lines.indices.filter { lines[$0].property?.group.lowercased() == group.lowercased() }
        let labels = members.filter { ["X-ABLABEL", "X-ABADR"].contains(lines[$0].property?.name ?? "") }
        guard members.allSatisfy({ $0 == place || labels.contains($0) }) else { return }
        for label in labels { lines[label] = Line(bytes: [], property: nil, statements: []) }
    }

    mutating func setRevision(_ now: Date) {
        guard let place = lines.firstIndex(where: { $0.property?.name == "REV" }),
            let head = head(of: lines[place].bytes)
        else { return }
        let time = now.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
        lines[place].bytes = written([head + ":" + time])
    }

    /// Lines with a group that no other property of the file has.
    private mutating func numbered(_ lines: [String]) -> [String] {
        let own = CardStatements.ownGroup + "."
        guard lines.contains(where: { $0.hasPrefix(own) }) else { return lines }
        var number = 1
        while !groups.insert("\(CardStatements.ownGroup)\(number)").inserted { number += 1 }
        return lines.map { line in
            line.hasPrefix(own) ? "\(CardStatements.ownGroup)\(number)." + line.dropFirst(own.count) : line
        }
    }

    /// The bytes of lines, folded, with the line ends of the file.
    private func written(_ texts: [String]) -> [UInt8] {
        var lines = VCardLines()
        for text in texts { lines.add(text) }
        if lineEnd == [0x0D, 0x0A] { return Array(lines.text.utf8) }
        return lines.text.utf8.flatMap { $0 == 0x0D ? [] : $0 == 0x0A ? lineEnd : [$0] }
    }
}
