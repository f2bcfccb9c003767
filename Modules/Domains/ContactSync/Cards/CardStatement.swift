import Foundation
import SwitchboardContacts
import SwitchboardVCard

/// One thing that a card says: a number, a name, a note. Cards are compared and merged statement by statement.
///
/// It is what this book would write of it, so two cards that say the same in different words have equal statements.
struct CardStatement: Hashable, Sendable {
    /// The property, in capitals; a number's is "TEL".
    let name: String
    /// The unfolded lines, as version 3.0 has them: one, or two where the label is the owner's own word.
    let lines: [String]

    /// What stands in the first line before the value: property, label, group.
    var head: Substring { CardStatement.halves(of: lines.first ?? "").head }
    /// What stands behind it, escaped.
    var value: Substring { CardStatement.halves(of: lines.first ?? "").value }

    /// A number for the statement, the same in every run (FNV-1a).
    var fingerprint: UInt64 {
        var hash = StableHash()
        for line in lines {
            hash.add(line.utf8)
            hash.add([0])
        }
        return hash.value
    }

    /// Both halves of a line, parted at the first colon that no quotation marks enclose.
    static func halves(of line: String) -> (head: Substring, value: Substring) {
        var isQuoted = false
        for index in line.utf8.indices {
            switch line.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return (line[..<index], line[line.utf8.index(after: index)...])
            default: break
            }
        }
        return (line[...], "")
    }
}

/// A number for bytes, the same in every run: FNV-1a, 64 bits. It tells changes, it is no protection against forgers.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    static func of(_ bytes: [UInt8]) -> UInt64 {
        var hash = StableHash()
        bytes.withUnsafeBufferPointer { hash.add($0) }
        return hash.value
    }
}

/// What a contact's card says, but for its identifier and the time.
struct CardStatements: Equatable, Sendable {
    private(set) var all: [CardStatement]

    /// What a contact says, as a card of this version has it. The statements of both versions are in the same order.
    init(_ contact: Contact, version: VCardWriter.Version = .version3) {
        var contact = contact.withoutSmallPrint
        (contact.id, contact.sourceUID, contact.modifiedAt) = ("", "", nil)
        let unfolded = VCardWriter(version: version).card(of: contact).components(splitBy: "\r\n ").joined()
        var lines = unfolded.components(splitBy: "\r\n")[...]
        all = []
        while let line = lines.popFirst() {
            let isFrame = ["BEGIN:", "VERSION:", "END:"].contains(where: line.hasPrefix)
            if line.isEmpty || isFrame { continue }
            var statement = [line]
            if line.hasPrefix(CardStatements.ownGroup), let label = lines.first,
                label.contains(".X-ABLabel:")
            {
                statement.append(label)
                lines.removeFirst()
            }
            all.append(CardStatement(lines: statement))
        }
    }

    init(_ statements: [CardStatement]) { all = statements }

    static let ownGroup = "switchboard"

    /// Those of a property.
    func of(_ name: String) -> [CardStatement] { all.filter { $0.name == name } }

    /// The properties of this card, and then those that only another one has, each once, in their order.
    func names(with other: CardStatements) -> [String] {
        var seen: Set<String> = []
        return (all + other.all).map(\.name).filter { seen.insert($0).inserted }
    }

    /// A number for each, by which to tell later which of them were there.
    var fingerprints: Data {
        var data = Data(capacity: all.count * 8)
        for statement in all {
            withUnsafeBytes(of: statement.fingerprint.littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    static func fingerprints(in data: Data) -> Set<UInt64> {
        var numbers: Set<UInt64> = []
        var number: UInt64 = 0
        for (index, byte) in data.enumerated() {
            number |= UInt64(byte) << UInt64(index % 8 * 8)
            if index % 8 == 7 {
                numbers.insert(number)
                number = 0
            }
        }
        return numbers
    }
}

extension CardStatement {
    /// The number of the group is none of the statement's business.
    fileprivate init(lines: [String]) {
        self.lines = lines.map { line in
            guard line.hasPrefix(CardStatements.ownGroup), let dot = line.firstIndex(of: ".") else { return line }
            return CardStatements.ownGroup + line[dot...]
        }
        let head = CardStatement.halves(of: self.lines.first ?? "").head
        let withoutGroup = head.split(separator: ";").first.map { $0.split(separator: ".").last ?? $0 } ?? ""
        name = withoutGroup.uppercased()
    }
}
