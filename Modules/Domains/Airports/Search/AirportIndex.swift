import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

/// An index of airports with the subjects that its documents stand for.
final class AirportIndex: Sendable {
    let source: SubjectList
    let searchIndex: SearchIndex
    /// A searcher for each field that has word suffixes.
    private let searchers: [FieldSearcher?]

    /// Opens or builds the index; see ``StaticIndex``.
    init(of source: SubjectList, in storage: Storage?) throws {
        let index = try StaticIndex(of: source, in: storage)
        self.source = source
        searchIndex = index.searchIndex
        searchers = try source.fields.indices.map { try FieldSearcher(index.searchIndex, field: $0) }
    }

    /// The searcher of a field, if the index has the field.
    func searcher(of field: Int) -> FieldSearcher? { searchers.indices.contains(field) ? searchers[field] : nil }

    /// Returns `true` if a name of a field begins with the given letters.
    func contains(_ letters: [UInt16], in field: Int) -> Bool { searcher(of: field)?.containsPrefix(letters) ?? false }
}
