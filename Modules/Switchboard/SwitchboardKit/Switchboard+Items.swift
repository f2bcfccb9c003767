public import Foundation
import SwitchboardAirports
import SwitchboardIncrementalIndex
public import SwitchboardKeypad
public import SwitchboardSearchableIndex
import SwitchboardStorage
public import SwitchboardWebFetch
public import SwitchboardWebMarkup

/// The filter, the order and the counts of a search of items.
public struct ItemOptions: Sendable {
    /// The conditions that results must meet.
    public var filter = ItemFilter()
    /// The order of the results; empty for the best first.
    public var order: [ItemSort] = []
    /// The attributes for whose values the results are counted.
    public var facets: [String] = []
    /// The bits to add to the likelihood of matches in attributes.
    public var boosts: [Attribute: Int] = [:]

    /// Creates options without a condition.
    public init() {}

    /// Parses options as the command line and HTTP take them; nil means none.
    ///
    /// - Parameters:
    ///   - sort: Names of attributes, with `-` for the reverse order, and `distance`: `-rating,title`.
    ///   - facets: Names of attributes, separated by commas.
    ///   - boosts: Attributes with bits, separated by commas: `keywords=6`.
    ///   - near: A location, `52.5,13.4`.
    ///   - radius: A distance from it in kilometers.
    /// - Throws: ``SwitchboardError``, `SearchableIndexError`, `AirportsError`.
    public init(sort: String?, facets: [String], boosts: [String], near: String?, radius: Double?) throws {
        let center = try near.map { text in
            let place = try Coordinate(parsing: text)
            return ItemLocation(latitude: place.latitude, longitude: place.longitude)
        }
        if let radius {
            guard let center, radius >= 0 else {
                throw SwitchboardError.usage(
                    "a radius needs a location and cannot be negative; add one, such as 52.5,13.4")
            }
            filter.circle = ItemFilter.Circle(center: center, radius: radius)
        }
        if let sort { order = try ItemSort.parsing(sort, from: center) }
        if let center, radius == nil, order.isEmpty { order = [.distance(from: center)] }
        self.facets = facets.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
        for part in boosts.flatMap({ $0.split(separator: ",") }) {
            let sides = part.split(separator: "=")
            guard sides.count == 2, let attribute = Attribute(name: String(sides[0])), attribute != .textContent,
                attribute.kind == .text || attribute.kind == .person, let bits = Int(sides[1]), abs(bits) <= 100
            else {
                throw SwitchboardError.usage(
                    "cannot read the boost “\(part)”; write a searched attribute and bits from -100 to 100, such as keywords=6"
                )
            }
            self.boosts[attribute] = bits
        }
    }
}

extension Switchboard {
    /// Searches items by text, or titles by keypad.
    ///
    /// - Parameters:
    ///   - input: The text, in any script, or the digits of a keypad.
    ///   - index: The name of the index.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - options: The filter, the order and the counts.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `SearchableIndexError` for an unknown attribute,
    ///   `CancellationError`, `StorageError`.
    public func searchItems(
        _ input: SearchInput, index: String = SearchableIndex.defaultName, limit: Int = 10,
        options: ItemOptions = ItemOptions(),
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(input, limit: limit)
        let search = try itemSearch(index)
        func found(_ limit: Int) throws -> SearchResults<ItemHit> {
            try search.search(
                input, limit: limit, filter: options.filter, sortedBy: options.order, boosts: options.boosts,
                isCancelled: isCancelled)
        }
        let answer = try found(limit)
        var results = answer.hits.map { SearchResult($0, index: index) }
        if options.order.isEmpty {
            results = try preferringChosen(results, .item, for: input, limit: limit) {
                try found($0).hits.map { SearchResult($0, index: index) }
            }
        }
        var response = SearchResponse(input, elapsed: answer.searchTime, results: results)
        if !options.facets.isEmpty {
            response.facets = try search.facets(
                of: options.facets, for: input, filter: options.filter, isCancelled: isCancelled)
        }
        return response
    }

    /// Returns the items that match an expression of the query language.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - name: The name of the index.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - options: The order and the counts.
    /// - Throws: ``SwitchboardError`` for a negative limit, `QueryError`, `SearchableIndexError`, `StorageError`.
    public func queryItems(
        _ expression: String, index name: String = SearchableIndex.defaultName, limit: Int = 10,
        options: ItemOptions = ItemOptions()
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        let index = try items(name)
        let query = try AttributeQuery(expression, attributes: index.attributeTypes())
        let start = ContinuousClock.now
        let items = try index.search(query, limit: limit, sortedBy: options.order)
        let elapsed = ContinuousClock.now - start
        let results = items.map { item in
            var row = SearchResult(item, index: name)
            row.match = .exact
            return row
        }
        var response = SearchResponse(SearchInput(expression), elapsed: elapsed, results: results)
        if !options.facets.isEmpty { response.facets = try index.facets(of: options.facets, matching: query) }
        return response
    }

    /// The domain of items from web pages; the items of a site are in `web.HOST`.
    public static let webDomain = "web"

    /// Fetches a page and reads its markup, respecting the site's robots.txt.
    ///
    /// - Throws: `WebFetchError`, `WebMarkupError`.
    public func markup(
        fetching url: String, by fetcher: WebFetcher, isCancelled: @escaping () -> Bool = { false }
    ) throws -> WebPage {
        let request = FetchRequest(url, acceptedTypes: FetchRequest.pageTypes, obeysRobots: true)
        let fetched = try fetcher.fetch(request, isCancelled: isCancelled)
        try fetched.requireSuccess()
        return try WebPage(
            html: fetched.body, contentType: fetched.contentType, url: fetched.url, robotsTags: fetched.robotsTags)
    }
}

extension SearchResult {
    /// Creates the row for an item.
    ///
    /// - Parameters:
    ///   - item: The stored item.
    ///   - index: The name of its index.
    public init(_ item: StoredItem, index: String = SearchableIndex.defaultName) {
        let set = item.attributeSet
        self.init(
            id: item.uniqueIdentifier, title: set.shownName ?? item.uniqueIdentifier, subtitle: set.line,
            object: .item(item, index: index == SearchableIndex.defaultName ? nil : index))
    }

    /// Creates the row for a search hit. The subtitle is the description in one line, and also shows the match if it is
    /// not in the title.
    public init(_ hit: ItemHit, index: String = SearchableIndex.defaultName) {
        self.init(hit.item, index: index)
        match = hit.match
        edits = hit.edits
        highlights = hit.highlights
        weighed = hit.weighed
        if let snippet = hit.snippet {
            show(snippet.inOneLine, replacing: snippet.field == "contentDescription")
            return
        }
        let set = hit.item.attributeSet
        let field = highlights.filter { !$0.value.isEmpty && set.text(ofField: $0.key) != title }.keys.min()
        if let field, let text = set.text(ofField: field) {
            show(Snippet(of: text, field: field, highlights: highlights[field] ?? []).inOneLine)
        }
    }

    /// Adds a matched text to the subtitle, unless it is a part of it.
    private mutating func show(_ text: Snippet, replacing replaces: Bool = false) {
        let line = Array(subtitle.unicodeScalars)
        let added = Array(text.text.unicodeScalars)
        var start = 0
        if replaces || line.isEmpty {
            subtitle = text.text
        } else if let place = Self.lowercased(line).firstRange(of: Self.lowercased(added)), Self.isWord(place, of: line)
        {
            start = place.lowerBound
        } else {
            subtitle += Snippet.separator + text.text
            start = line.count + Snippet.separator.unicodeScalars.count
        }
        highlights["subtitle"] = text.highlights.map { $0.lowerBound + start..<$0.upperBound + start }
    }

    /// Returns the scalars in lower case, one for each.
    private static func lowercased(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.map { scalar in
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower.first ?? scalar : scalar
        }
    }

    private static func isWord(_ range: Range<Int>, of text: [Unicode.Scalar]) -> Bool {
        let neighbors = [range.lowerBound - 1, range.upperBound].filter(text.indices.contains)
        return !neighbors.contains { text[$0].properties.isAlphabetic || text[$0].properties.numericType != nil }
    }
}

extension SearchableItemAttributeSet {
    /// The description in one line, cut if it is long; the keywords if there is none.
    fileprivate var line: String {
        let description = texts(of: .contentDescription).first.map {
            Snippet(of: $0, field: "contentDescription", highlights: [0..<0]).inOneLine.text
        }
        if let description, !description.isEmpty { return description }
        return texts(of: .keywords).joined(separator: ", ")
    }
}

/// The items and notes collected from web pages.
public struct MarkupReport: Sendable {
    /// A note about a page that was skipped, or about ignored markup.
    public struct Note: Sendable, Hashable, Encodable {
        /// The file or address.
        public let page: String
        /// The reason.
        public let reason: String
    }

    /// The items of all pages.
    public var items: [SearchableItem] = []
    /// The notes about skipped pages and ignored markup.
    public var notes: [Note] = []

    /// Creates an empty report.
    public init() {}

    /// Adds the items of a page, unless the page forbids indexing.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - name: The file or address, for notes.
    ///   - now: The current time, for pages with an expiry date.
    public mutating func take(_ page: WebPage, of name: String, at now: Date = Date()) {
        notes += page.warnings.map { Note(page: name, reason: $0.description) }
        guard page.robots.mayIndex(at: now) else {
            notes.append(Note(page: name, reason: "the page forbids indexing (robots)"))
            return
        }
        items += page.items.map { SearchableItem($0, expiring: page.robots.unavailableAfter) }
    }
}

extension SearchableItem {
    /// Creates an item from web markup, in the domain of the page's host.
    public init(_ markedUp: MarkupItem, expiring date: Date? = nil) {
        var set = SearchableItemAttributeSet()
        for (name, value) in markedUp.attributes {
            guard let attribute = Attribute(name: name) else { continue }
            set[attribute] = value.attributes
        }
        for (name, value) in markedUp.custom { set.custom[name] = value.attributes }
        set.custom["kind"] = [.text(markedUp.kind)]
        let address = set.url ?? markedUp.id
        let host = address.flatMap { URLComponents(string: $0)?.host }
        self.init(
            uniqueIdentifier: markedUp.id,
            domainIdentifier: host.map { "\(Switchboard.webDomain).\($0)" } ?? Switchboard.webDomain,
            attributeSet: set, expiration: date.map { .at($0) } ?? .default)
    }
}

extension MarkupValue {
    fileprivate var attributes: [AttributeValue] {
        switch self {
        case .text(let text): [.text(text)]
        case .texts(let texts): texts.map { .text($0) }
        case .number(let number): [.number(number)]
        case .date(let date): [.date(date)]
        case .flag(let flag): [.flag(flag)]
        }
    }
}

/// The items that one application has put into the default index. It cannot see or change other applications' items.
///
/// The identifiers and domains of the application are stored below its name: item `note-1` in the domain `notes` of
/// `org.example.Notes` is `org.example.Notes:note-1` in `org.example.Notes.notes`. The items of
/// `org.example.Notes.Daily` are in a subdomain, following the hierarchy of bus names.
///
/// For example:
///
/// ```text
/// let notes = try switchboard.items(ofApplication: "org.example.Notes")
/// try notes.put(json: Array(#"{"id": "note-1", "title": "Buy bread"}"#.utf8))
/// print(try notes.search("bread").results.map(\.id))  // ["note-1"]
/// ```
public struct ApplicationItems: Sendable {
    /// The name of the application, such as `org.example.Notes`.
    public let application: String

    private let switchboard: Switchboard

    init(_ application: String, of switchboard: Switchboard) throws(SwitchboardError) {
        guard Self.isName(application) else {
            throw .usage("“\(application)” is not the name of an application; use one such as org.example.Notes")
        }
        self.application = application
        self.switchboard = switchboard
    }

    /// Returns `true` for a valid name: elements of letters, digits, '_' and '-', separated by dots, as on a message
    /// bus, and at most 100 bytes, as in the name of an index.
    private static func isName(_ text: String) -> Bool {
        guard (1...100).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { element in
            !element.isEmpty
                && element.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
    }

    private var prefix: String { application + ":" }

    // MARK: - Changing

    /// Puts and updates items from JSON, in one transaction; see `ItemReader` for the format.
    ///
    /// - Parameters:
    ///   - json: An object, an array or JSON lines.
    ///   - clientState: The client state of the application to set with the items.
    ///   - expectedState: The required client state of the application; nil for any.
    /// - Throws: `SearchableIndexError`, `StorageError`. On error nothing is stored.
    @discardableResult
    public func put(json: [UInt8], clientState: String? = nil, expectedState: String? = nil) throws -> PutReport {
        var options = PutOptions()
        (options.clientState, options.expectedState, options.stateName) = (clientState, expectedState, application)
        options.transform = { change in
            switch change {
            case .put(var item):
                item.uniqueIdentifier = prefix + item.uniqueIdentifier
                item.domainIdentifier = domain(item.domainIdentifier)
                return .put(item)
            case .update(var update):
                update.uniqueIdentifier = prefix + update.uniqueIdentifier
                update.domainIdentifier = update.domainIdentifier.map { domain($0) }
                return .update(update)
            }
        }
        do {
            return try switchboard.items().put(json: json, options: options)
        } catch SearchableIndexError.invalidItem(var error) {
            error.item = error.item.map(own)
            throw SearchableIndexError.invalidItem(error)
        }
    }

    /// Deletes items. If one identifier is unknown, nothing is deleted.
    ///
    /// - Throws: `SearchableIndexError`, `StorageError`.
    public func delete(_ ids: [String]) throws {
        do {
            try switchboard.items().deleteItems(withIdentifiers: ids.map { prefix + $0 })
        } catch SearchableIndexError.notFound(let id) {
            throw SearchableIndexError.notFound(id: own(id))
        }
    }

    /// Deletes the items in a domain of the application and its subdomains. For an empty name, deletes all of its items
    /// and its client state.
    ///
    /// - Returns: The number of deleted items.
    /// - Throws: `StorageError`.
    @discardableResult
    public func delete(inDomain name: String) throws -> Int {
        // Delete the client state first: it is invalid without the items.
        if name.isEmpty, try clientState != nil { try put(json: [], clientState: "") }
        return try switchboard.items().deleteItems(inDomains: [domain(name)]).count
    }

    // MARK: - Activities

    /// Begins an activity from JSON; see `UserActivity` for the format. Its identifiers and domain are the
    /// application's own.
    ///
    /// - Returns: The application's identifier for the activity, generated if it has none.
    /// - Throws: `ItemError`, `SearchableIndexError`, `StorageError`.
    public func begin(activity json: [UInt8]) throws -> String {
        var activity = try UserActivity(json: json)
        let id = activity.persistentIdentifier ?? Storage.newIdentifier()
        activity.persistentIdentifier = prefix + id
        activity.domainIdentifier = domain(activity.domainIdentifier)
        if let target = activity.targetContentIdentifier, DeepLink(url: target) == nil {
            activity.targetContentIdentifier = prefix + target
        }
        // The domain is stored with the attributes.
        var content = activity.contentAttributeSet ?? SearchableItemAttributeSet()
        content.relatedUniqueIdentifier = content.relatedUniqueIdentifier.map { prefix + $0 }
        content.weakRelatedUniqueIdentifier = content.weakRelatedUniqueIdentifier.map { prefix + $0 }
        activity.contentAttributeSet = content
        try switchboard.activities.becomeCurrent(activity)
        return id
    }

    /// Ends the current activity if it belongs to the application. It can still be found and continued.
    ///
    /// - Throws: `StorageError`.
    public func endActivity() throws {
        let activities = try switchboard.activities
        if try activities.current()?.id.hasPrefix(prefix) == true { try activities.resignCurrent() }
    }

    /// Deletes activities. If one identifier is unknown, nothing is deleted.
    ///
    /// - Throws: `SearchableIndexError`, `StorageError`.
    public func delete(activities ids: [String]) throws {
        do {
            try switchboard.activities.delete(ids.map { prefix + $0 })
        } catch SearchableIndexError.activityNotFound(let id) {
            throw SearchableIndexError.activityNotFound(id: own(id))
        }
    }

    // MARK: - Owner

    /// Registers the application to open its items and activities itself, by URL or action; see `ItemOwner`.
    ///
    /// - Parameters:
    ///   - urlTemplate: The URL of an item, with `{id}` for its identifier; nil for the item's own URL.
    ///   - action: The action that receives the activity to continue; nil if the application receives a URL.
    /// - Throws: `SearchableIndexError`, `StorageError`.
    public func setOwner(urlTemplate: String?, action: String?) throws {
        try switchboard.items().setOwner(
            ItemOwner(domain: application, application: application, urlTemplate: urlTemplate, action: action))
    }

    /// Unregisters the application as the owner of its items; does nothing if it is not registered.
    ///
    /// - Throws: `StorageError`.
    public func removeOwner() throws {
        do { try switchboard.items().removeOwner(ofDomain: application) } catch SearchableIndexError.ownerNotFound {}
    }

    // MARK: - Reading

    /// The client state of the application; nil if it has never been set.
    public var clientState: String? {
        get throws { try switchboard.items(application).clientState() }
    }

    /// Searches the items of the application.
    ///
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func search(
        _ text: String, limit: Int = 10, isCancelled: Switchboard.CancellationCheck? = nil
    ) throws -> SearchResponse {
        var options = ItemOptions()
        options.filter.domain = application
        var response = try switchboard.searchItems(
            SearchInput(text), limit: limit, options: options, isCancelled: isCancelled)
        for index in response.results.indices { response.results[index].strip(own, application) }
        return response
    }

    // MARK: - Names

    private func domain(_ name: String?) -> String {
        guard let name, !name.isEmpty else { return application }
        return application + "." + name
    }

    private func own(_ id: String) -> String { id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id }
}

extension Switchboard {
    /// Returns the items of an application.
    ///
    /// - Throws: ``SwitchboardError`` for an invalid name.
    public func items(ofApplication name: String) throws(SwitchboardError) -> ApplicationItems {
        try ApplicationItems(name, of: self)
    }
}

extension SearchResult {
    /// Replaces the stored identifier and domain with the application's own.
    fileprivate mutating func strip(_ own: (String) -> String, _ application: String) {
        guard case .item(var stored, let index) = object else { return }
        id = own(id)
        stored.item.uniqueIdentifier = id
        if let domain = stored.item.domainIdentifier {
            let rest = domain.dropFirst(application.count + 1)
            stored.item.domainIdentifier = rest.isEmpty ? nil : String(rest)
        }
        object = .item(stored, index: index)
    }
}
