/// A filter that keeps one result for an item and the activities about it.
///
/// Two results are the same if they have the same web page, or if an activity names the item.
struct ResultDeduplicator {
    private var items: Set<String> = []
    private var pages: Set<String> = []

    /// Returns the hits without those whose subject an earlier hit already has.
    static func deduplicated(_ hits: [ItemHit]) -> [ItemHit] {
        // Only activities refer to other items.
        guard hits.contains(where: { $0.item.uniqueIdentifier.hasPrefix(ActivityRows.prefix) }) else {
            return hits
        }
        var seen = ResultDeduplicator()
        return hits.filter { seen.isNew($0.item.item) }
    }

    private mutating func isNew(_ item: SearchableItem) -> Bool {
        let set = item.attributeSet
        var ids = [item.uniqueIdentifier]
        if item.uniqueIdentifier.hasPrefix(ActivityRows.prefix) {
            ids += [set.relatedUniqueIdentifier, set.weakRelatedUniqueIdentifier].compactMap { $0 }
        }
        let addresses = [set.url, set.contentURL].compactMap { $0 }.map(Self.page)
        guard items.isDisjoint(with: ids), pages.isDisjoint(with: addresses) else { return false }
        items.formUnion(ids)
        pages.formUnion(addresses)
        return true
    }

    /// Returns a URL without its fragment and trailing slash.
    private static func page(_ url: String) -> String {
        var page = url.prefix { $0 != "#" }
        if page.last == "/" { page.removeLast() }
        return String(page)
    }
}
