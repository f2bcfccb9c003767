import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardSearchableIndex

extension SearchResult {
    /// The link to the object.
    public var link: DeepLink {
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

/// A chosen result and its link: `{"open": "switchboard://…", "result": {…}}`.
public struct OpenedResult: Encodable, Sendable {
    /// The URL to open.
    public let open: String
    /// The result.
    public let result: SearchResult
}

extension Switchboard {
    /// Opens a result: records the choice, so that it ranks higher next time, and returns its link.
    ///
    /// - Parameters:
    ///   - number: The number of the row, from 1.
    ///   - response: The response that was shown.
    /// - Throws: ``SwitchboardError`` if the row does not exist, and the errors of recording the choice.
    public func open(_ number: Int, of response: SearchResponse) throws -> OpenedResult {
        guard number >= 1 else {
            throw SwitchboardError.usage("there is no result \(number); results are numbered from 1")
        }
        guard response.results.count >= number else {
            throw SwitchboardError(
                code: "notFound",
                message: "“\(response.query)” has only \(response.results.count) results, not \(number)",
                status: .nothingFound)
        }
        let result = response.results[number - 1]
        switch result.object {
        case .contact(let contact): try contacts.recordCall(contact.id)
        case .airport(let airport, _): try airports.choose(airport.code)
        case .item(let item, nil):
            let continued = try continueActivity(item.activityIdentifier ?? id(of: item), query: response.query)
            return OpenedResult(open: continued.open, result: result)
        case .item(let item, let index?): try items(index).engage(id(of: item), query: response.query)
        case .prospect: break
        }
        return OpenedResult(open: result.link.url, result: result)
    }

    private func id(of item: StoredItem) -> String { item.item.uniqueIdentifier }
}
