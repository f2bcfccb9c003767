import SwitchboardErrors

/// The notes about a file. Notes with equal reasons are one, with the line of the first.
struct ImportNotes {
    /// The maximum number of different notes. A file of another format could have one on each line.
    private static let limit = 1_000

    private var notes: [(first: MalformedInput, count: Int)] = []
    private var positions: [String: Int] = [:]
    private var omitted = 0

    mutating func add(_ note: MalformedInput) {
        if let position = positions[note.reason] {
            notes[position].count += 1
        } else if notes.count < ImportNotes.limit {
            positions[note.reason] = notes.count
            notes.append((note, 1))
        } else {
            omitted += 1
        }
    }

    /// Returns the notes in the order of their lines.
    func all(of file: String) -> [MalformedInput] {
        var all = notes.map { note, count in
            let others = count == 1 ? "" : " (and \(count - 1) more \(count == 2 ? "line" : "lines"))"
            return MalformedInput(file: file, line: note.line, reason: note.reason + others)
        }
        all.sort { $0.line < $1.line }
        if omitted > 0 { all.append(MalformedInput(file: file, line: 1, reason: "\(omitted) more notes are omitted")) }
        return all
    }
}
