import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardSearchableIndex

extension Switchboard {
    /// The maximum size of a result's picture in bytes; larger ones would slow down the desktop.
    private static let largestDesktopPicture = 1 << 20

    /// Searches on behalf of the desktop: like ``search(_:kinds:limit:isCancelled:)``, but only the kinds that the
    /// settings show.
    ///
    /// - Returns: The results; none for an empty text.
    /// - Throws: The errors of ``search(_:kinds:limit:isCancelled:)``.
    public func searchForDesktop(
        _ text: String, settings: DesktopSettings, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> [SearchResult] {
        let input = SearchInput(text)
        if input.isEmpty || settings.shownKinds.isEmpty { return [] }
        return try search(input, kinds: settings.shownKinds, limit: limit, isCancelled: isCancelled).results
    }

    /// Returns the result with the identifier of a ``DesktopRow``; nil if it no longer exists or is not shown.
    ///
    /// - Throws: `StorageError`.
    public func desktopResult(_ id: String, settings: DesktopSettings) throws -> SearchResult? {
        guard let link = DeepLink(url: id), let kind = ResultKind(rawValue: link.kind.rawValue),
            settings.shownKinds.contains(kind)
        else { return nil }
        do {
            return try result(at: link)
        } catch let error as any CodedError where error.details.category == .notFound {
            return nil
        }
    }

    /// Returns the bytes of a contact's photo or an item's thumbnail; nil if there is none or it is larger than 1 MiB.
    ///
    /// - Throws: `StorageError`.
    public func desktopPicture(of result: SearchResult) throws -> [UInt8]? {
        switch result.object {
        case .contact(let contact):
            // Contacts in search results have no photos.
            guard let data = try contacts.photo(of: contact.id)?.data, data.count <= Self.largestDesktopPicture else {
                return nil
            }
            return [UInt8](data)
        case .item(let item, _):
            guard let data = item.item.attributeSet.thumbnailData, data.count <= Self.largestDesktopPicture else {
                return nil
            }
            return [UInt8](data)
        case .prospect, .airport: return nil
        }
    }

    /// Records that a result was chosen in the desktop's search, and returns the ways to open it.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - text: The search text; empty if unknown.
    /// - Throws: The errors of recording the choice.
    public func openingChosen(_ result: SearchResult, for text: String) throws -> Opening {
        _ = try open(result, for: SearchInput(text))
        return try opening(of: result)
    }

    /// Returns the link that continues a search in another front end.
    public func desktopSearchLink(_ text: String) -> String { DeepLink(kind: .find, id: text).url }
}
