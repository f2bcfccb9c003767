/// What a page describes: things with properties, of which some are things again.
///
/// The things stand in one list and name each other by number, so that what leads in a circle on a page is no danger
/// here:
/// whoever follows a property follows it a fixed number of steps.
struct ThingGraph {
    enum Source { case linkedData, microdata }

    enum Value {
        case text(String)
        case number(Double)
        case flag(Bool)
        /// An address from an attribute such as `href`, resolved, and the text of the link.
        case address(String, text: String)
        case thing(Int)
    }

    struct Thing {
        let source: Source
        /// The names of its types in schema.org, without its address.
        var types: [String] = []
        /// Its `@id` or `itemid`, resolved.
        var id: String?
        var properties: [String: [Value]] = [:]
        /// Whether it stands by itself on the page, not only as a property of another thing.
        var isTop = false
        /// The properties under which others name it.
        var roles: Set<String> = []
    }

    var things: [Thing] = []
    private var count = 0

    /// More values on one page are not read: references of microdata may multiply them.
    static let mostValues = 200_000

    var isFull: Bool { count >= Self.mostValues }

    /// Adds a thing and gives its number.
    mutating func add(_ thing: Thing) -> Int {
        things.append(thing)
        count += 1
        return things.count - 1
    }

    /// Adds a value to a property of a thing.
    mutating func add(_ value: Value, to property: String, of thing: Int) {
        guard !isFull, things.indices.contains(thing) else { return }
        count += 1
        things[thing].properties[property, default: []].append(value)
        if case .thing(let other) = value, things.indices.contains(other) { things[other].roles.insert(property) }
    }

    /// The name of a type or property without the address of schema.org before it; nil if it belongs to another
    /// vocabulary.
    static func schemaName(_ name: some StringProtocol) -> String? {
        var rest = name[...]
        for prefix in ["https://", "http://", "schema:"] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            if prefix == "schema:" { break }
            if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
            guard rest.hasPrefix("schema.org/") else { return nil }
            rest = rest.dropFirst("schema.org/".count)
            break
        }
        let text = String(rest.prefix(64))
        guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20),
            text.utf8.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            })
        else { return nil }
        return text
    }
}
