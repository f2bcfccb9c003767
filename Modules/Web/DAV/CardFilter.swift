import Foundation
public import SwitchboardVCard

/// A filter of cards (RFC 6352, section 10.5).
public struct CardFilter: Sendable, Hashable {
    private var properties: [PropertyFilter] = []
    private var needsAll = false

    /// Creates a filter that every card matches.
    public init() {}

    /// Returns `true` if a card matches.
    public func matches(_ card: VCard) -> Bool {
        if properties.isEmpty { return true }
        func matches(_ filter: PropertyFilter) -> Bool { filter.matches(card.properties) }
        return needsAll ? properties.allSatisfy(matches) : properties.contains(where: matches)
    }

    init(_ element: DAVElement) throws(DAVError) {
        needsAll = try CardFilter.needsAll(element)
        for child in element.children where child.name == .card("prop-filter") {
            try properties.append(PropertyFilter(child))
        }
    }

    fileprivate static func needsAll(_ element: DAVElement) throws(DAVError) -> Bool {
        switch element.attributes["test"] {
        case "allof": return true
        case nil, "anyof": return false
        case let test?: throw .malformedXML(reason: "the test “\(test)” is unknown")
        }
    }
}

private struct PropertyFilter: Sendable, Hashable {
    let group: String?
    let name: String
    let isDefined: Bool
    let needsAll: Bool
    let texts: [DAVTextMatch]
    var parameters: [ParameterFilter] = []

    init(_ element: DAVElement) throws(DAVError) {
        guard let full = element.attributes["name"], !full.isEmpty else {
            throw .malformedXML(reason: "a prop-filter has no name")
        }
        let parts = full.split(separator: ".", maxSplits: 1)
        group = parts.count == 2 ? parts[0].lowercased() : nil
        name = (parts.last ?? "").uppercased()
        isDefined = element.child(.card("is-not-defined")) == nil
        needsAll = try CardFilter.needsAll(element)
        texts = try element.textMatches
        for child in element.children where child.name == .card("param-filter") {
            try parameters.append(ParameterFilter(child))
        }
    }

    func matches(_ properties: [VCardProperty]) -> Bool {
        let found = properties.filter { $0.name == name && (group == nil || $0.group.lowercased() == group) }
        guard isDefined else { return found.isEmpty }
        guard !found.isEmpty else { return false }
        if texts.isEmpty, parameters.isEmpty { return true }
        let tests: [(VCardProperty) -> Bool] =
            texts.map { text in { text.matches($0.text) } }
            + parameters.map { parameter in { parameter.matches($0) } }
        return found.contains { property in
            needsAll ? tests.allSatisfy { $0(property) } : tests.contains { $0(property) }
        }
    }
}

private struct ParameterFilter: Sendable, Hashable {
    let name: String
    let isDefined: Bool
    let text: DAVTextMatch?

    init(_ element: DAVElement) throws(DAVError) {
        guard let name = element.attributes["name"], !name.isEmpty else {
            throw .malformedXML(reason: "a param-filter has no name")
        }
        self.name = name.uppercased()
        isDefined = element.child(.card("is-not-defined")) == nil
        text = try element.textMatches.first
    }

    func matches(_ property: VCardProperty) -> Bool {
        let values = property.values(of: name)
        guard isDefined else { return values.isEmpty }
        guard let text else { return !values.isEmpty }
        // A quoted value may be a list.
        return values.flatMap { [$0] + $0.split(separator: ",").map(String.init) }.contains(where: text.matches)
    }
}

extension DAVElement {
    /// The text matches within it.
    fileprivate var textMatches: [DAVTextMatch] {
        get throws(DAVError) {
            var matches: [DAVTextMatch] = []
            for child in children where child.name == .card("text-match") {
                try matches.append(
                    DAVTextMatch(child, collation: .unicode, elseUnmet: .card("supported-collation")))
            }
            return matches
        }
    }
}
