public import SwitchboardProspects

extension Switchboard {
    /// The prospects of a filter that a text finds.
    ///
    /// Without a text they come in the order asked for; what a text finds comes best first.
    ///
    /// - Parameters:
    ///   - text: what was typed; empty for all.
    ///   - filter: which prospects.
    ///   - order: how they are sorted if there is no text.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: ends the search early.
    /// - Throws: a ``Fault`` for a negative limit, `StorageError`.
    public func listProspects(
        matching text: String = "", _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name,
        limit: Int = 0, isCancelled: CancellationCheck? = nil
    ) throws -> [SearchResult] {
        try Self.check(limit: limit)
        guard text.contains(where: { !$0.isWhitespace }) else {
            return try prospects.list(filter, sortedBy: order, limit: limit == 0 ? nil : limit).map { SearchResult($0) }
        }
        let wanted = filter == .everyone ? limit : 0
        let found = try prospectSearch.answer(finding: text, limit: wanted, isCancelled: isCancelled).hits
        let rows = found.filter { hit in
            switch filter {
            case .everyone: true
            case .contacted: hit.prospect.isContacted
            case .uncontacted: !hit.prospect.isContacted
            }
        }
        return (limit == 0 ? rows[...] : rows.prefix(limit)).map { SearchResult($0) }
    }
}
