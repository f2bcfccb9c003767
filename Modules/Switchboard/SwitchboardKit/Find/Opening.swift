public import SwitchboardSearchableIndex

/// The ways to open an object on a desktop, best first: the owner of an item, its page, or our own view.
///
/// ``Desktop/open(_:activationToken:showsOwnView:)`` tries them in order. A front end that cannot open any shows
/// ``address``.
public struct Opening: Sendable, Hashable {
    /// A way to open an object.
    public enum Step: Sendable, Hashable {
        /// An action of a program, with the activity to continue and, if it concerns an item, the program's own
        /// identifier for it.
        case action(application: String, name: String, activity: UserActivity, item: String?)
        /// A URL to open in a specific program.
        case application(String, url: String)
        /// A URL to open in the user's default program.
        case url(String)
    }

    /// The ways to open the object; the last one is the link to our own view.
    public let steps: [Step]

    init(_ steps: [Step], else url: String) { self.steps = steps + [.url(url)] }

    /// The URL of the first step that has one.
    public var address: String {
        for case .application(_, let url) in steps { return url }
        for case .url(let url) in steps { return url }
        return ""
    }

    /// The identifier of the owner's desktop entry; nil if there is no owner.
    public var owner: String? {
        switch steps.first {
        case .action(let application, _, _, _), .application(let application, _): application
        case .url, nil: nil
        }
    }
}

extension Switchboard {
    /// Returns the ways to open the object that a link refers to.
    ///
    /// - Throws: The errors of the domains if the object does not exist, and `StorageError`.
    public func opening(at link: DeepLink) throws -> Opening {
        switch link.kind {
        case .activity: try opening(of: activities.activity(link.id))
        case .item:
            if let result = try result(at: link) { try opening(of: result) } else { Opening([], else: link.url) }
        case .contact, .prospect, .airport, .find: Opening([], else: link.url)
        }
    }

    /// Returns the ways to open a result.
    ///
    /// - Parameter result: A result. For an item, the ways are complete only if it was read in full, as by
    ///   ``result(at:)``.
    /// - Throws: `StorageError`.
    public func opening(of result: SearchResult) throws -> Opening {
        guard case .item(let item, let name) = result.object else { return Opening([], else: result.link.url) }
        let index = try items(name ?? SearchableIndex.defaultName)
        if index.name == SearchableIndex.defaultName, let id = item.activityIdentifier,
            let stored = try? activities.activity(id)
        {
            return try opening(of: stored)
        }
        return try opening(
            ofItem: item.uniqueIdentifier, in: item.domainIdentifier, of: index, page: item.page, else: result.link)
    }

    /// Returns the ways to open an activity: in its owner, its page, its item, or our own view.
    ///
    /// - Throws: `StorageError`.
    public func opening(of stored: StoredActivity) throws -> Opening {
        let (activity, index) = (stored.activity, try items())
        let content = try activities.destination(of: stored)
        let item: String? = if case .item(let id) = content { id } else { nil }
        let page = activity.webpageURL ?? activity.contentAttributeSet?.url
        let link = DeepLink(kind: .activity, id: stored.id)
        if let owner = try index.owner(ofDomain: activity.domainIdentifier) {
            return Opening(of: activity, by: owner, as: item ?? stored.id, item: item, page: page, else: link)
        }
        if let page { return Opening([.url(page)], else: link.url) }
        switch content {
        case .item(let id):
            if let found = try? result(at: DeepLink(kind: .item, id: id)) { return try opening(of: found) }
        case .url(let url): return Opening([.url(url)], else: link.url)
        case .activity, .query: break
        }
        return Opening([], else: link.url)
    }

    private func opening(
        ofItem id: String, in domain: String?, of index: SearchableIndex, page: String?, else link: DeepLink
    ) throws -> Opening {
        guard let owner = try index.owner(ofDomain: domain) else {
            return Opening(page.map { [.url($0)] } ?? [], else: link.url)
        }
        return Opening(
            of: .choosing(item: owner.identifier(of: id)), by: owner, as: id, item: id, page: page, else: link)
    }
}

extension Opening {
    /// Creates the ways to open an activity in the app of its owner.
    ///
    /// - Parameters:
    ///   - id: The identifier for the owner's URL template.
    ///   - item: The item of the activity, if any.
    ///   - page: The URL of the page to open without the owner, if any.
    ///   - link: The link to our own view.
    fileprivate init(
        of activity: UserActivity, by owner: ItemOwner, as id: String, item: String?, page: String?, else link: DeepLink
    ) {
        var steps: [Step] = []
        if let action = owner.action {
            steps.append(
                .action(
                    application: owner.application, name: action, activity: activity,
                    item: item.map(owner.identifier)))
        }
        if let url = owner.url(of: id) ?? page { steps.append(.application(owner.application, url: url)) }
        if let page { steps.append(.url(page)) }
        self.init(steps, else: link.url)
    }
}
