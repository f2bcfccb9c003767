import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardSearchableIndex

extension SearchResult {
    /// Where the row leads.
    public var place: DeepLink {
        switch object {
        case .contact: DeepLink(kind: .contact, id: id)
        case .prospect: DeepLink(kind: .prospect, id: id)
        case .airport: DeepLink(kind: .airport, id: id)
        case .item(let item, let index):
            if index == nil, let activity = item.activityIdentifier {
                DeepLink(kind: .activity, id: activity)
            } else {
                DeepLink(kind: .item, id: id, index: index)
            }
        }
    }
}

/// A result that was chosen, and where it leads: `{"open": "switchboard://…", "result": {…}}`.
public struct OpenedResult: Encodable, Sendable {
    /// The address.
    public let open: String
    /// The row.
    public let result: SearchResult
}

extension Switchboard {
    /// Takes a result that a person has chosen: remembers that, so that it comes earlier next time, and tells where it leads.
    ///
    /// - Parameters:
    ///   - number: which row of an answer, from 1.
    ///   - answer: the answer that was shown.
    /// - Throws: a ``Fault`` if there is no such row, and what remembering throws.
    public func open(_ number: Int, of answer: SearchResponse) throws -> OpenedResult {
        guard number >= 1 else { throw Fault.usage("results are counted from 1, not \(number)") }
        guard answer.results.count >= number else {
            throw Fault(
                code: "notFound", message: "“\(answer.query)” has no result \(number), only \(answer.results.count)",
                status: .nothingFound)
        }
        let result = answer.results[number - 1]
        switch result.object {
        case .contact(let contact): try contacts.recordCall(contact.id)
        case .airport(let airport, _): try airports.choose(airport.code)
        case .item(let item, nil):
            let continued = try continueActivity(item.activityIdentifier ?? id(of: item), query: answer.query)
            return OpenedResult(open: continued.open, result: result)
        case .item(let item, let index?): try items(index).engage(id(of: item), query: answer.query)
        case .prospect: break
        }
        return OpenedResult(open: result.place.url, result: result)
    }

    private func id(of item: StoredItem) -> String { item.item.uniqueIdentifier }
}
