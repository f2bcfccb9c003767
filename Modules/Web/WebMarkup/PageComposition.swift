/// The assignment of the things on a page to items: the page itself, other items, and parts of them.
struct PageComposition {
    let head: PageHead
    let things: ThingReader
    /// The beginning of the page's text, the title of a page without one.
    let textBeginning: String?
    /// The identifier of a page without an address.
    let contentID: String

    private var graph: ThingGraph { things.graph }

    /// Properties whose values are independent things. The values of all others are parts.
    private static let leadingRoles: Set<String> = [
        "mainEntity", "mainEntityOfPage", "item", "itemListElement", "hasPart", "subjectOf", "event", "events", "about",
        "subEvent",
        "isRelatedTo", "episode", "track", "itemOffered",
    ]

    /// The language of the main thing.
    var language: String? {
        mainAndOthers().main.lazy.compactMap { self.things.text(["inLanguage"], of: $0, limit: 40) }.first
            .flatMap(PageHead.language)
    }

    // MARK: - Items

    func items(warnings: inout [MarkupWarning]) -> [MarkupItem] {
        let (main, others) = mainAndOthers()
        var ids: Set<String> = []
        var items: [MarkupItem] = []
        if let item = pageItem(main) {
            items = [item]
            if let id = item.id { ids.insert(id) }
        }
        var counts: [String: Int] = [:]
        for thing in others {
            guard items.count < WebPage.maximumItems else {
                let message = "the page has more than \(WebPage.maximumItems) items; the others are ignored"
                warnings.append(MarkupWarning(line: nil, message: message))
                break
            }
            var attributes = AttributeCollection()
            things.describe(thing[0], in: &attributes)
            for same in thing.dropFirst() { things.describe(same, in: &attributes) }
            guard attributes.values["title"] != nil else { continue }
            let kind = kindName(of: thing[0])
            attributes.offer("contentType", text: things.kind(of: thing[0]).contentType)
            let address = things.addresses(["url", "mainEntityOfPage"], of: thing[0]).first
            attributes.offer("url", text: address ?? head.address?.webText)
            attributes.offer("siteName", text: head.meta("og:site_name"))
            counts[kind, default: 0] += 1
            let fragment = "#\(kind.lowercased())-\(counts[kind] ?? 1)"
            // Items may only have identifiers of the page's own site, to prevent replacing items of other sites.
            let own = [graph.things[thing[0]].id, address].compactMap { $0 }.filter {
                isOwnAddress($0) && !ids.contains($0)
            }
            var id: String? = own.first ?? (head.address?.text ?? contentID) + fragment
            while let taken = id, ids.contains(taken) { id = taken + "-2" }
            if let id { ids.insert(id) }
            items.append(attributes.item(id: id, kind: kind))
        }
        return items
    }

    /// Attributes that a page has without any content.
    private static let incidental: Set<String> = ["contentType", "url", "siteName", "publisherName"]

    /// Returns the item of the page from its main thing, then from its tags; nil if there is nothing to index.
    private func pageItem(_ main: [Int]) -> MarkupItem? {
        var attributes = AttributeCollection()
        let pages = topLevelThings { $0 == .page }
        for thing in main + pages { things.describe(thing, in: &attributes) }
        for site in topLevelThings({ $0 == .site }) {
            var siteAttributes = AttributeCollection()
            things.describe(site, in: &siteAttributes)
            attributes.offer("searchAction", siteAttributes.values["searchAction"])
            attributes.offer("siteName", siteAttributes.values["title"])
            if main.isEmpty, pages.isEmpty { things.describe(site, in: &attributes) }
        }
        let openGraph = OpenGraph(head: head, zone: things.zone)
        openGraph.describe(in: &attributes)
        AppTags(head: head).describe(in: &attributes)
        attributes.offer("title", text: head.title ?? textBeginning)
        let keywords = head.meta(["keywords", "news_keywords"], limit: MarkupText.maximumDescriptionLength) ?? ""
        attributes.add("keywords", texts: keywords.split(separator: ",").compactMap { MarkupText.line($0, limit: 100) })
        attributes.offer("thumbnailURL", text: head.link("image_src") ?? head.link("apple-touch-icon"))

        let kind: String
        if let thing = main.first ?? pages.first {
            kind = main.isEmpty ? openGraph.kind ?? kindName(of: thing) : kindName(of: thing)
        } else {
            kind = openGraph.kind ?? "WebPage"
        }
        attributes.offer("contentType", text: ThingKind(types: [kind]).contentType)
        let address = head.address?.webText ?? main.lazy.flatMap { self.things.addresses(["url"], of: $0) }.first
        attributes.offer("url", text: address)
        guard !Self.incidental.isSuperset(of: attributes.values.keys) else { return nil }
        return attributes.item(id: address ?? head.address?.text ?? contentID, kind: kind)
    }

    private func isOwnAddress(_ text: String) -> Bool {
        guard let url = PageURL(text), url.webText != nil else { return false }
        return url.isOnSameSite(as: head.address)
    }

    private func kindName(of thing: Int) -> String {
        let types = graph.things[thing].types
        return types.first { ThingKind(types: [$0]) != .other } ?? types.first ?? "Thing"
    }

    // MARK: - Grouping

    private func topLevelThings(_ isWanted: (ThingKind) -> Bool) -> [Int] {
        graph.things.indices.filter { graph.things[$0].isTopLevel && isWanted(things.kind(of: $0)) }
    }

    /// Returns the descriptions of the main thing, most trusted first, and groups of descriptions of the others.
    private func mainAndOthers() -> (main: [Int], others: [[Int]]) {
        let groups = grouped(candidates())
        let chosen = mainGroup(of: groups)
        return (chosen.map { groups[$0] } ?? [], groups.indices.filter { $0 != chosen }.map { groups[$0] })
    }

    /// Returns the possible items: independent things, main entities of pages, and list entries.
    private func candidates() -> [Int] {
        var found: [Int] = []
        var seen: Set<Int> = []
        func consider(_ thing: Int) {
            switch things.kind(of: thing) {
            case .page, .site, .navigation: return
            case .list, .entry: return
            default: if seen.insert(thing).inserted, !graph.things[thing].types.isEmpty { found.append(thing) }
            }
        }
        for thing in graph.things.indices where graph.things[thing].isTopLevel {
            switch things.kind(of: thing) {
            case .page:
                for about in things.things("mainEntity", of: thing) {
                    consider(about)
                    for entry in entries(of: about) { consider(entry) }
                }
            case .list: for entry in entries(of: thing) { consider(entry) }
            default: if isLeading(thing) { consider(thing) }
            }
        }
        return found
    }

    private func isLeading(_ thing: Int) -> Bool { graph.things[thing].roles.isSubset(of: Self.leadingRoles) }

    private func entries(of list: Int) -> [Int] {
        guard things.kind(of: list) == .list else { return [] }
        return things.things("itemListElement", of: list).flatMap { entry in
            things.kind(of: entry) == .entry ? things.things("item", of: entry) : [entry]
        }
    }

    /// Groups descriptions of the same thing: JSON-LD and microdata of one type with the same name, URL or identifier,
    /// or the only ones of that type in both.
    private func grouped(_ candidates: [Int]) -> [[Int]] {
        var groups: [[Int]] = []
        var groupsByKey: [String: Int] = [:]
        let linked = candidates.filter { graph.things[$0].source == .linkedData }
        let micro = candidates.filter { graph.things[$0].source == .microdata }
        for thing in linked {
            groups.append([thing])
            for key in keys(of: thing) where groupsByKey[key] == nil { groupsByKey[key] = groups.count - 1 }
        }
        let linkedCounts = Dictionary(linked.map { (things.kind(of: $0), 1) }, uniquingKeysWith: +)
        let microCounts = Dictionary(micro.map { (things.kind(of: $0), 1) }, uniquingKeysWith: +)
        for thing in micro {
            let kind = things.kind(of: thing)
            var group = keys(of: thing).lazy.compactMap { groupsByKey[$0] }.first
            if group == nil, kind != .other, linkedCounts[kind] == 1, microCounts[kind] == 1 {
                group = groups.firstIndex { $0.first.map { things.kind(of: $0) == kind } ?? false }
            }
            if let group { groups[group].append(thing) } else { groups.append([thing]) }
        }
        return groups
    }

    private func keys(of thing: Int) -> [String] {
        let kind = kindName(of: thing)
        var keys: [String] = []
        if let id = graph.things[thing].id { keys.append("\(kind) id \(id)") }
        if let name = things.name(of: thing) { keys.append("\(kind) name \(name)") }
        return keys
    }

    /// Returns the group that the page is about, if there is one.
    private func mainGroup(of groups: [[Int]]) -> Int? {
        let isAbout = { (group: [Int]) in
            group.contains { thing in
                self.graph.things[thing].roles.contains("mainEntity") || self.pointsToPage(thing)
            }
        }
        let declared = groups.indices.filter { isAbout(groups[$0]) }
        if let first = declared.first, declared.count == 1 || !isOneOfMany(first, of: declared, in: groups) {
            return first
        }
        let here = groups.indices.filter { groups[$0].contains { isThisPage($0) == true } }
        if let first = here.first, !isOneOfMany(first, of: here, in: groups) { return first }
        // Things that occur on every page of a site, such as its organization, count only if they are alone.
        let about = groups.indices.filter { !Self.companions.contains(things.kind(of: groups[$0][0])) }
        let rest = about.isEmpty ? Array(groups.indices) : about
        guard rest.count == 1, let only = rest.first else { return nil }
        let isElsewhere = groups[only].contains { isThisPage($0) == false }
        if about.isEmpty { return isElsewhere || OpenGraph(head: head, zone: things.zone).kind != nil ? nil : only }
        return isElsewhere ? nil : only
    }

    private static let companions: Set<ThingKind> = [.organization, .business, .person, .image, .audio, .video]

    /// Returns whether several groups of the same kind claim to be the main one.
    private func isOneOfMany(_ group: Int, of claimants: [Int], in groups: [[Int]]) -> Bool {
        let kind = things.kind(of: groups[group][0])
        return claimants.contains { $0 != group && things.kind(of: groups[$0][0]) == kind }
    }

    /// Returns whether a thing names this page as its main page.
    private func pointsToPage(_ thing: Int) -> Bool {
        for value in things.values(["mainEntityOfPage"], of: thing) {
            switch value {
            case .flag(let flag): if flag { return true }
            case .text(let text), .address(let text, _):
                if text.lowercased() == "true" { return true }
                if let isThisPage = isThisPage(address: text) { return isThisPage }
            case .thing(let page):
                guard let id = graph.things[page].id else { return true }
                return isThisPage(address: id) ?? true
            case .number: break
            }
        }
        return false
    }

    /// Returns whether the thing and the page have the same URL; `nil` if one of them has none.
    private func isThisPage(_ thing: Int) -> Bool? {
        // An identifier with a fragment names a part of the page.
        if let id = graph.things[thing].id, !id.contains("#"), isThisPage(address: id) == true { return true }
        return things.addresses(["url"], of: thing).first.flatMap(isThisPage(address:))
    }

    private func isThisPage(address: String) -> Bool? {
        guard let here = head.address?.comparisonKey, let there = PageURL(address)?.resolved(against: head.base) else {
            return nil
        }
        return there.page.comparisonKey == here
    }
}
