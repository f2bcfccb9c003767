public import SwitchboardProspects

extension Switchboard {
    /// Lists the prospects of a filter, or those of them that match a text.
    ///
    /// Without a text they are sorted by `order`, otherwise by relevance.
    ///
    /// - Parameters:
    ///   - text: The text; empty for all.
    ///   - filter: The filter.
    ///   - order: The sort order without a text.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `StorageError`.
    public func listProspects(
        matching text: String = "", _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name,
        limit: Int = 0, isCancelled: CancellationCheck? = nil
    ) throws -> [SearchResult] {
        try Self.validate(limit: limit)
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
