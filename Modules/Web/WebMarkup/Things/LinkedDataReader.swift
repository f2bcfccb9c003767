/// Reads things out of JSON-LD: lists, `@graph`, nested objects, lists of types, and references by `@id` inside the
/// page.
///
/// Of contexts only that of schema.org is known: an object whose `@context` is another one is passed over, and names
/// that a
/// context declares are not looked up.
struct LinkedDataReader {
    private let base: PageURL?
    private var numbers: [String: Int] = [:]
    private var nodesLeft = JSONTree.mostNodes

    init(base: PageURL?) {
        self.base = base
    }

    /// Adds the things of a script. What cannot be read becomes a warning.
    mutating func read(_ script: PageOutline.Script, into graph: inout ThingGraph, warnings: inout [MarkupWarning]) {
        let tree: JSONTree
        do {
            tree = try JSONTree(script.text, limit: nodesLeft)
        } catch {
            let message = "JSON-LD is passed over: \(error.reason)"
            if warnings.count < WebPage.mostWarnings {
                warnings.append(MarkupWarning(line: script.line + error.line, message: message))
            }
            return
        }
        nodesLeft -= tree.nodes.count
        for root in tree.roots { addTop(root, of: tree, isOurs: true, into: &graph) }
    }

    private mutating func addTop(_ number: Int, of tree: JSONTree, isOurs: Bool, into graph: inout ThingGraph) {
        switch tree.nodes[number] {
        case .list(let members):
            for member in members { addTop(member, of: tree, isOurs: isOurs, into: &graph) }
        case .object(let members):
            let isOurs = members.first { $0.key == "@context" }.map { Self.isSchema($0.value, of: tree) } ?? isOurs
            for member in members where member.key == "@graph" {
                addTop(member.value, of: tree, isOurs: isOurs, into: &graph)
            }
            guard isOurs, let thing = addThing(members, of: tree, into: &graph) else { return }
            graph.things[thing].isTop = true
        default: break
        }
    }

    /// Whether a context is that of schema.org, or holds it among others.
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

    /// Adds an object as a thing, or its properties to the thing of the same `@id`; nil if there is nothing in it.
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

    // The depth of the tree is bounded, so this recursion is.
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
