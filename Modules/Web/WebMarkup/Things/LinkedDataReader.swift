/// A reader of things in JSON-LD: lists, `@graph`, nested objects, several types, and references by `@id` within the
/// page.
///
/// Only the context of schema.org is supported: objects with another `@context` are ignored, and terms defined in
/// contexts are not expanded.
struct LinkedDataReader {
    private let base: PageURL?
    private var numbers: [String: Int] = [:]
    private var nodesLeft = JSONTree.maximumNodes

    init(base: PageURL?) {
        self.base = base
    }

    /// Adds the things of a script. A script that cannot be parsed becomes a warning.
    mutating func read(_ script: PageOutline.Script, into graph: inout ThingGraph, warnings: inout [MarkupWarning]) {
        let tree: JSONTree
        do {
            tree = try JSONTree(script.text, limit: nodesLeft)
        } catch {
            let message = "JSON-LD ignored: \(error.reason)"
            if warnings.count < WebPage.maximumWarnings {
                warnings.append(MarkupWarning(line: script.line + error.line, message: message))
            }
            return
        }
        nodesLeft -= tree.nodes.count
        for root in tree.roots { addTopLevel(root, of: tree, isSchemaOrg: true, into: &graph) }
    }

    private mutating func addTopLevel(_ number: Int, of tree: JSONTree, isSchemaOrg: Bool, into graph: inout ThingGraph)
    {
        switch tree.nodes[number] {
        case .list(let members):
            for member in members { addTopLevel(member, of: tree, isSchemaOrg: isSchemaOrg, into: &graph) }
        case .object(let members):
            let isSchemaOrg =
                members.first { $0.key == "@context" }.map { Self.isSchema($0.value, of: tree) } ?? isSchemaOrg
            for member in members where member.key == "@graph" {
                addTopLevel(member.value, of: tree, isSchemaOrg: isSchemaOrg, into: &graph)
            }
            guard isSchemaOrg, let thing = addThing(members, of: tree, into: &graph) else { return }
            graph.things[thing].isTopLevel = true
        default: break
        }
    }

    /// Returns whether a context is schema.org, or includes it.
    private static func isSchema(_ number: Int, of tree: JSONTree) -> Bool {
        switch tree.nodes[number] {
        case .text(let text): text.contains("schema.org")
        case .list(let members): members.contains { isSchema($0, of: tree) }
        case .object(let members):
            members.contains { member in
                if case .text(let text) = tree.nodes[member.value] { text.contains("schema.org") } else { false }
            }
        default: false
        }
    }

    /// Adds an object as a thing, or its properties to the thing with the same `@id`; `nil` if it is empty.
    private mutating func addThing(
        _ members: [(key: String, value: Int)], of tree: JSONTree, into graph: inout ThingGraph
    ) -> Int? {
        guard !graph.isFull, members.contains(where: { $0.key != "@context" && $0.key != "@graph" }) else { return nil }
        var id: String?
        if case .text(let text)? = members.first(where: { $0.key == "@id" }).map({ tree.nodes[$0.value] }) {
            id = PageURL(text).map { $0.resolved(against: base).text ?? text }
        }
        let thing = id.flatMap { numbers[$0] } ?? graph.add(.init(source: .linkedData, id: id))
        if let id { numbers[id] = thing }
        for member in members {
            if member.key == "@type" || member.key == "type" {
                for type in types(member.value, of: tree) where !graph.things[thing].types.contains(type) {
                    graph.things[thing].types.append(type)
                }
            } else if !member.key.hasPrefix("@"), let property = ThingGraph.schemaName(member.key) {
                add(member.value, of: tree, to: property, of: thing, into: &graph)
            }
        }
        return thing
    }

    private func types(_ number: Int, of tree: JSONTree) -> [String] {
        switch tree.nodes[number] {
        case .text(let text): ThingGraph.schemaName(text).map { [$0] } ?? []
        case .list(let members): members.prefix(8).flatMap { types($0, of: tree) }
        default: []
        }
    }

    // The recursion is bounded by the depth of the tree.
    private mutating func add(
        _ number: Int, of tree: JSONTree, to property: String, of thing: Int, into graph: inout ThingGraph
    ) {
        switch tree.nodes[number] {
        case .null: break
        case .flag(let flag): graph.add(.flag(flag), to: property, of: thing)
        case .number(let number): graph.add(.number(number), to: property, of: thing)
        case .text(let text): graph.add(.text(text), to: property, of: thing)
        case .list(let members):
            for member in members { add(member, of: tree, to: property, of: thing, into: &graph) }
        case .object(let members):
            if let value = members.first(where: { ["@value", "@list", "@set"].contains($0.key) }) {
                add(value.value, of: tree, to: property, of: thing, into: &graph)
            } else if let other = addThing(members, of: tree, into: &graph) {
                graph.add(.thing(other), to: property, of: thing)
            }
        }
    }
}
