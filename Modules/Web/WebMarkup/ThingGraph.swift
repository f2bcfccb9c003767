import SwitchboardJSON

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

/// A reader of things in JSON-LD: lists, `@graph`, nested objects, several types, and references by `@id` within the
/// page.
///
/// Only the vocabulary of schema.org is supported: objects with another `@context` are ignored. Prefixes and terms that a
/// context declares for schema.org are expanded.
struct LinkedDataReader {
    /// The maximum number of values on a page.
    private static let maximumValues = 500_000

    private let base: PageURL?
    private var numbers: [String: Int] = [:]
    private var valuesLeft = maximumValues
    /// The terms and prefixes that the contexts around an object declare, with their addresses.
    private var terms: [String: String] = [:]

    init(base: PageURL?) {
        self.base = base
    }

    /// Adds the things of a script. A script that cannot be parsed becomes a warning.
    mutating func read(_ script: PageOutline.Script, into graph: inout ThingGraph, warnings: inout [MarkupWarning]) {
        do {
            let (values, count) = try JSONParser.lenientValues(of: script.text, limit: valuesLeft)
            valuesLeft -= count
            for value in values { addTopLevel(value, isSchemaOrg: true, into: &graph) }
        } catch {
            let line = script.line + script.text.prefix(error.offset).count { $0 == 0x0A }
            if warnings.count < WebPage.maximumWarnings {
                warnings.append(MarkupWarning(line: line, message: "JSON-LD ignored: \(error.reason)"))
            }
        }
    }

    private mutating func addTopLevel(_ value: JSONValue, isSchemaOrg: Bool, into graph: inout ThingGraph) {
        switch value {
        case .array(let elements):
            for element in elements { addTopLevel(element.value, isSchemaOrg: isSchemaOrg, into: &graph) }
        case .object(let members):
            let context = members.first { $0.name == "@context" }?.value
            let isSchemaOrg = context.map(Self.isSchema) ?? isSchemaOrg
            let outer = terms
            defer { terms = outer }
            if let context { declare(context) }
            for member in members where member.name == "@graph" {
                addTopLevel(member.value, isSchemaOrg: isSchemaOrg, into: &graph)
            }
            guard isSchemaOrg, let thing = addThing(members, into: &graph) else { return }
            graph.things[thing].isTopLevel = true
        default: break
        }
    }

    /// Adds the terms and prefixes of a context.
    private mutating func declare(_ context: JSONValue) {
        switch context {
        case .array(let elements): for element in elements { declare(element.value) }
        case .object(let members):
            for member in members where !member.name.hasPrefix("@") && terms.count < 1_000 {
                if let address = member.value.string {
                    terms[member.name] = address
                } else if case .object(let definition) = member.value,
                    let address = definition.first(where: { $0.name == "@id" })?.value.string
                {
                    terms[member.name] = address
                }
            }
        default: break
        }
    }

    /// Returns a name with the terms and prefixes of the context replaced by their addresses.
    private func expanded(_ name: String) -> String {
        var name = terms[name] ?? name
        if let colon = name.firstIndex(of: ":"), let address = terms[String(name[..<colon])] {
            name = address + name[name.index(after: colon)...]
        }
        return name
    }

    /// Returns whether a context is schema.org, or includes it.
    private static func isSchema(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.contains("schema.org")
        case .array(let elements): elements.contains { isSchema($0.value) }
        case .object(let members):
            members.contains { member in
                if case .object(let definition) = member.value {
                    return definition.contains { $0.value.string?.contains("schema.org") ?? false }
                }
                return member.value.string?.contains("schema.org") ?? false
            }
        default: false
        }
    }

    /// Adds an object as a thing, or its properties to the thing with the same `@id`; `nil` if it is empty.
    private mutating func addThing(_ members: [JSONValue.Member], into graph: inout ThingGraph) -> Int? {
        guard !graph.isFull, members.contains(where: { $0.name != "@context" && $0.name != "@graph" }) else {
            return nil
        }
        let id = members.first { expanded($0.name) == "@id" }?.value.string.flatMap { text in
            PageURL(text).map { $0.resolved(against: base).text ?? text }
        }
        let thing = id.flatMap { numbers[$0] } ?? graph.add(.init(source: .linkedData, id: id))
        if let id { numbers[id] = thing }
        for member in members {
            let name = expanded(member.name)
            if name == "@type" || name == "type" {
                for type in types(member.value) where !graph.things[thing].types.contains(type) {
                    graph.things[thing].types.append(type)
                }
            } else if !name.hasPrefix("@"), let property = ThingGraph.schemaName(name) {
                add(member.value, to: property, of: thing, into: &graph)
            }
        }
        return thing
    }

    private func types(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): ThingGraph.schemaName(expanded(text)).map { [$0] } ?? []
        case .array(let elements): elements.prefix(8).flatMap { types($0.value) }
        default: []
        }
    }

    // The parser bounds the depth of the recursion.
    private mutating func add(_ value: JSONValue, to property: String, of thing: Int, into graph: inout ThingGraph) {
        switch value {
        case .null: break
        case .bool(let flag): graph.add(.flag(flag), to: property, of: thing)
        case .number(let number): graph.add(.number(number), to: property, of: thing)
        case .string(let text): graph.add(.text(text), to: property, of: thing)
        case .array(let elements):
            for element in elements { add(element.value, to: property, of: thing, into: &graph) }
        case .object(let members):
            if let value = members.first(where: { ["@value", "@list", "@set"].contains($0.name) }) {
                add(value.value, to: property, of: thing, into: &graph)
            } else if let other = addThing(members, into: &graph) {
                graph.add(.thing(other), to: property, of: thing)
            }
        }
    }
}

/// A reader of things in microdata (HTML Standard, chapter 5).
///
/// As an extension, the attribute `content` is the value of any element, as in schema.org's examples.
struct MicrodataReader {
    private let outline: PageOutline
    private let base: PageURL?
    private var elementsByID: [String: Int] = [:]
    private var things: [Int: Int] = [:]
    /// The number of visited elements; bounded, since many things can refer to the same elements.
    private var visits = 0

    private static let maximumVisits = 1_000_000

    static func read(_ outline: PageOutline, base: PageURL?, into graph: inout ThingGraph) {
        var reader = MicrodataReader(outline: outline, base: base)
        // Add all things first, so that references find theirs.
        for (number, element) in outline.elements.enumerated()
        where outline.attribute("itemscope", of: element) != nil && !graph.isFull {
            reader.things[number] = graph.add(reader.thing(of: element))
        }
        guard !reader.things.isEmpty else { return }
        for (number, element) in outline.elements.enumerated() {
            guard let id = outline.attribute("id", of: element), reader.elementsByID[id] == nil else { continue }
            reader.elementsByID[id] = number
        }
        for number in reader.things.keys.sorted() { reader.addProperties(of: number, into: &graph) }
    }

    private func thing(of element: PageOutline.Element) -> ThingGraph.Thing {
        let types = (outline.attribute("itemtype", of: element) ?? "").split(whereSeparator: \.isWhitespace).prefix(8)
        let id = outline.attribute("itemid", of: element).flatMap { PageURL($0)?.resolved(against: base).text }
        return .init(
            source: .microdata, types: types.compactMap { ThingGraph.schemaName($0) }, id: id,
            isTopLevel: outline.attribute("itemprop", of: element) == nil)
    }

    /// Adds the properties inside an element and its references, but not the properties of nested things.
    private mutating func addProperties(of number: Int, into graph: inout ThingGraph) {
        guard let thing = things[number] else { return }
        let element = outline.elements[number]
        var seen: Set<Int> = [number]
        addProperties(in: (number + 1)..<element.end, to: thing, seen: &seen, into: &graph)
        let references = (outline.attribute("itemref", of: element) ?? "").split(whereSeparator: \.isWhitespace)
        for reference in references {
            guard let target = elementsByID[String(reference)] else { continue }
            addProperties(in: target..<outline.elements[target].end, to: thing, seen: &seen, into: &graph)
        }
    }

    private mutating func addProperties(
        in range: Range<Int>, to thing: Int, seen: inout Set<Int>, into graph: inout ThingGraph
    ) {
        var number = range.lowerBound
        while number < range.upperBound, !graph.isFull, visits < Self.maximumVisits {
            visits += 1
            let element = outline.elements[number]
            let isThing = things[number] != nil
            if seen.insert(number).inserted, let names = outline.attribute("itemprop", of: element) {
                let value = things[number].map { ThingGraph.Value.thing($0) } ?? value(of: element)
                for name in names.split(whereSeparator: \.isWhitespace).prefix(8) {
                    if let property = ThingGraph.schemaName(name) { graph.add(value, to: property, of: thing) }
                }
            }
            number = isThing ? max(element.end, number + 1) : number + 1
        }
    }

    private func value(of element: PageOutline.Element) -> ThingGraph.Value {
        if let content = outline.attribute("content", of: element) { return .text(content) }
        switch element.name {
        case "meta": return .text("")
        case "audio", "embed", "iframe", "img", "source", "track", "video": return address("src", of: element)
        case "a", "area", "link": return address("href", of: element)
        case "object": return address("data", of: element)
        case "data", "meter": return .text(outline.attribute("value", of: element) ?? outline.text(of: element))
        case "time": return .text(outline.attribute("datetime", of: element) ?? outline.text(of: element))
        default: return .text(outline.text(of: element))
        }
    }

    /// Returns the URL of an element, or its text if it has none.
    private func address(_ attribute: String, of element: PageOutline.Element) -> ThingGraph.Value {
        guard let text = outline.attribute(attribute, of: element) else { return .text(outline.text(of: element)) }
        guard let address = PageURL(text)?.resolved(against: base).text else { return .text("") }
        return .address(
            address, text: element.name == "a" ? outline.text(of: element, limit: MarkupText.maximumLineLength) : "")
    }
}
