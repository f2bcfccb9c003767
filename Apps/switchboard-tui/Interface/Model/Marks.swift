public import SwitchboardKit

/// A marked row. It stores only the data needed by actions on all marked rows, so 100,000 rows can be marked.
public struct Mark: Sendable {
    /// The identity of the row in its list.
    let id: String
    /// The identifier of the contact or prospect.
    let object: String
    let kind: ResultKind
    let title: String
    /// True for a favorite or a contacted prospect.
    let isFlagged: Bool

    /// Creates the mark of a row; nil if the row is not a contact or prospect.
    public init?(_ result: SearchResult) {
        guard result.kind == .contact || result.kind == .prospect else { return nil }
        (id, object, kind) = (result.link.url, result.id, result.kind)
        (title, isFlagged) = (result.title, result.isFlagged)
    }
}

/// The marked rows of a tab, in the order in which they were marked.
struct Marks: Sendable {
    private(set) var list: [Mark] = []
    private(set) var ids: Set<String> = []

    init(_ list: [Mark] = []) {
        self.list = list
        ids = Set(list.lazy.map(\.id))
    }

    /// Marks a row, or removes its mark.
    mutating func toggle(_ mark: Mark) {
        if ids.insert(mark.id).inserted {
            list.append(mark)
        } else {
            ids.remove(mark.id)
            list.removeAll { $0.id == mark.id }
        }
    }

    /// Updates the marks of rows that were reloaded.
    mutating func refresh(_ rows: [Row]) {
        var current: [String: Mark] = [:]
        for row in rows where ids.contains(row.id) { current[row.id] = row.result.flatMap(Mark.init) }
        if !current.isEmpty { list = list.map { current[$0.id] ?? $0 } }
    }
}
