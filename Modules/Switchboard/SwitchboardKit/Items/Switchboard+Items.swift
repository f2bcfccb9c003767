import SwitchboardSearchEngine
public import SwitchboardSearchableIndex

extension Switchboard {
    /// The items that a text finds.
    ///
    /// - Parameters:
    ///   - text: what was typed, in any script, with typos.
    ///   - index: the name of the index.
    ///   - limit: how many at most; 0 for all.
    ///   - filter: only some items.
    ///   - isCancelled: ends the search early.
    /// - Throws: a ``Fault`` for a negative limit, `SearchCancelled`, `StorageError`.
    public func findItems(
        _ text: String, index: String = SearchableIndex.defaultName, limit: Int = 10, filter: ItemFilter = ItemFilter(),
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        let answer = try itemSearch(index).answer(
            finding: text, limit: limit, filter: filter, isCancelled: isCancelled)
        return SearchResponse(
            query: text, elapsed: answer.searchTime,
            results: answer.hits.map { SearchResult($0, index: index) })
    }

    /// The items for which an expression of the query language holds.
    ///
    /// - Throws: a ``Fault`` for a negative limit, `QueryError`, `StorageError`.
    public func queryItems(
        _ expression: String, index name: String = SearchableIndex.defaultName, limit: Int = 10
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        let index = try items(name)
        let query = try AttributeQuery(expression, attributes: index.attributeTypes())
        let clock = ContinuousClock()
        let start = clock.now
        let items = try index.items(matching: query, limit: limit)
        let elapsed = clock.now - start
        let results = items.map { item in
            var row = SearchResult(item, index: name)
            row.match = .exact
            return row
        }
        return SearchResponse(query: expression, elapsed: elapsed, results: results)
    }
}

// MARK: - Rows of items

extension SearchResult {
    /// The row of an item.
    ///
    /// - Parameters:
    ///   - item: the item as it is stored.
    ///   - index: the name of its index.
    public init(_ item: StoredItem, index: String = SearchableIndex.defaultName) {
        let set = item.item.attributeSet
        let description = set.contentDescription.map {
            Snippet(of: $0, field: "contentDescription", highlights: [0..<0]).text
        }
        self.init(
            id: item.item.uniqueIdentifier, title: set.shownName ?? item.item.uniqueIdentifier,
            subtitle: description ?? set.keywords.joined(separator: ", "),
            object: .item(item, index: index == SearchableIndex.defaultName ? nil : index))
    }

    /// The row of an item that was found. What matched in a description or whole text is shown below the title.
    public init(_ hit: ItemHit, index: String = SearchableIndex.defaultName) {
        self.init(hit.item, index: index)
        match = hit.match
        highlights = hit.highlights
        if let snippet = hit.snippet {
            subtitle = snippet.text
            highlights["subtitle"] = snippet.highlights
        }
    }
}
