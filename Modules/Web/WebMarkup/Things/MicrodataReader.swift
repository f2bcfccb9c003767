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
