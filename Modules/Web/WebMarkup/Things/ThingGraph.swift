/// The things described by a page, with their properties.
///
/// Things refer to each other by index, so cycles are harmless: properties are followed a fixed number of steps.
struct ThingGraph {
    enum Source { case linkedData, microdata }

    enum Value {
        case text(String)
        case number(Double)
        case flag(Bool)
        /// A URL from an attribute such as `href`, resolved, with the text of the link.
        case address(String, text: String)
        case thing(Int)
    }

    struct Thing {
        let source: Source
        /// The names of its schema.org types.
        var types: [String] = []
        /// The `@id` or `itemid`, resolved.
        var id: String?
        var properties: [String: [Value]] = [:]
        /// Indicates that it is not only a property of another thing.
        var isTopLevel = false
        /// The properties of other things that refer to it.
        var roles: Set<String> = []
    }

    var things: [Thing] = []
    private var count = 0

    /// The maximum number of values on a page; references of microdata can multiply them.
    static let maximumValues = 200_000

    var isFull: Bool { count >= Self.maximumValues }

    mutating func add(_ thing: Thing) -> Int {
        things.append(thing)
        count += 1
        return things.count - 1
    }

    mutating func add(_ value: Value, to property: String, of thing: Int) {
        guard !isFull, things.indices.contains(thing) else { return }
        count += 1
        things[thing].properties[property, default: []].append(value)
        if case .thing(let other) = value, things.indices.contains(other) { things[other].roles.insert(property) }
    }

    /// Returns a type or property without the schema.org prefix; `nil` if it belongs to another vocabulary.
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
        guard let first = text.utf8.first, first.isASCIILetter,
            text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F })
        else { return nil }
        return text
    }
}
