import SwitchboardJSON

/// A reader of things in JSON-LD: lists, `@graph`, nested objects, several types, and references by `@id` within the
/// page.
///
/// Only the context of schema.org is supported: objects with another `@context` are ignored, and terms defined in
/// contexts are not expanded.
struct LinkedDataReader {
    /// The maximum number of values on a page.
    private static let maximumValues = 500_000

    private let base: PageURL?
    private var numbers: [String: Int] = [:]
    private var valuesLeft = maximumValues

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
            let isSchemaOrg = members.first { $0.name == "@context" }.map { Self.isSchema($0.value) } ?? isSchemaOrg
            for member in members where member.name == "@graph" {
                addTopLevel(member.value, isSchemaOrg: isSchemaOrg, into: &graph)
            }
            guard isSchemaOrg, let thing = addThing(members, into: &graph) else { return }
            graph.things[thing].isTopLevel = true
        default: break
        }
    }

    /// Returns whether a context is schema.org, or includes it.
    private static func isSchema(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.contains("schema.org")
        case .array(let elements): elements.contains { isSchema($0.value) }
        case .object(let members): members.contains { $0.value.string?.contains("schema.org") ?? false }
        default: false
        }
    }

    /// Adds an object as a thing, or its properties to the thing with the same `@id`; `nil` if it is empty.
    private mutating func addThing(_ members: [JSONValue.Member], into graph: inout ThingGraph) -> Int? {
        guard !graph.isFull, members.contains(where: { $0.name != "@context" && $0.name != "@graph" }) else {
            return nil
        }
        let id = members.first { $0.name == "@id" }?.value.string.flatMap { text in
            PageURL(text).map { $0.resolved(against: base).text ?? text }
        }
        let thing = id.flatMap { numbers[$0] } ?? graph.add(.init(source: .linkedData, id: id))
        if let id { numbers[id] = thing }
        for member in members {
            if member.name == "@type" || member.name == "type" {
                for type in types(member.value) where !graph.things[thing].types.contains(type) {
                    graph.things[thing].types.append(type)
                }
            } else if !member.name.hasPrefix("@"), let property = ThingGraph.schemaName(member.name) {
                add(member.value, to: property, of: thing, into: &graph)
            }
        }
        return thing
    }

    private func types(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): ThingGraph.schemaName(text).map { [$0] } ?? []
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
