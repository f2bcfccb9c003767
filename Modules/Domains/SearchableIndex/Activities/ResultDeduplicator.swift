import GRDB

/// An item and an activity about the same thing are one result: the same page of the web, or an activity that names the item.
struct ResultDeduplicator {
    private var items: Set<String> = []
    private var pages: Set<String> = []

    /// Leaves out hits that are about what an earlier one is about.
    static func each(_ hits: [ItemHit]) -> [ItemHit] {
        // Only activities name others.
        guard hits.contains(where: { $0.item.item.uniqueIdentifier.hasPrefix(ActivityRows.prefix) }) else {
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

    /// An address without its fragment and the slash at its end.
    private static func page(_ url: String) -> String {
        var page = url.prefix { $0 != "#" }
        if page.last == "/" { page.removeLast() }
        return String(page)
    }
}
