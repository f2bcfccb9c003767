import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardSearchableIndex

extension Switchboard {
    /// Searches items by text. There is no keypad index: digits match digits in titles.
    ///
    /// - Parameters:
    ///   - input: The text, in any script.
    ///   - index: The name of the index.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - filter: The filter.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func searchItems(
        _ input: SearchInput, index: String = SearchableIndex.defaultName, limit: Int = 10,
        filter: ItemFilter = ItemFilter(),
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        let found = try itemSearch(index).search(
            input.text, limit: limit, filter: filter, isCancelled: isCancelled)
        return SearchResponse(
            input, elapsed: found.searchTime,
            results: found.hits.map { SearchResult($0, index: index) })
    }

    /// Returns the items that match an expression of the query language.
    ///
    /// - Throws: ``SwitchboardError`` for a negative limit, `QueryError`, `StorageError`.
    public func queryItems(
        _ expression: String, index name: String = SearchableIndex.defaultName, limit: Int = 10
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        let index = try items(name)
        let query = try AttributeQuery(expression, attributes: index.attributeTypes())
        let clock = ContinuousClock()
        let start = clock.now
        let items = try index.search(query, limit: limit)
        let elapsed = clock.now - start
        let results = items.map { item in
            var row = SearchResult(item, index: name)
            row.match = .exact
            return row
        }
        return SearchResponse(SearchInput(expression), elapsed: elapsed, results: results)
    }
}

extension SearchResult {
    /// Creates the row of an item.
    ///
    /// - Parameters:
    ///   - item: The stored item.
    ///   - index: The name of its index.
    public init(_ item: StoredItem, index: String = SearchableIndex.defaultName) {
        let set = item.attributeSet
        let description = set.contentDescription.map {
            Snippet(of: $0, field: "contentDescription", highlights: [0..<0]).text
        }
        self.init(
            id: item.uniqueIdentifier, title: set.shownName ?? item.uniqueIdentifier,
            subtitle: description ?? set.keywords.joined(separator: ", "),
            object: .item(item, index: index == SearchableIndex.defaultName ? nil : index))
    }

    /// Creates the row of a search hit. A match in the description or text is shown as the subtitle.
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
