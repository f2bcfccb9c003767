import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization

@testable import SwitchboardSearchableIndex

/// An index in a temporary folder, with a settable clock.
final class TestIndex: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let storage: Storage
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    init() throws {
        storage = try Storage(
            at: folder.appending(path: "a.sqlite").path, migrations: [SearchableIndex.migrations])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func index(_ name: String = SearchableIndex.defaultName) -> SearchableIndex {
        SearchableIndex(storage: storage, name: name) { [self] in now.withLock { $0 } }
    }

    var index: SearchableIndex { index() }

    func search(_ name: String = SearchableIndex.defaultName) -> ItemSearch {
        ItemSearch(index: index(name), rebuildsInBackground: false)
    }

    /// Puts items as JSON.
    @discardableResult
    func put(_ json: String, options: PutOptions = PutOptions()) throws -> PutReport {
        let bytes = Mutex(Array(json.utf8))
        return try index.put(
            reading: {
                bytes.withLock { bytes in
                    defer { bytes = [] }
                    return bytes
                }
            }, options: options)
    }

    /// Returns the identifiers of the hits, in order.
    func ids(_ text: String, limit: Int = 10, filter: ItemFilter = ItemFilter()) throws -> [String] {
        try search().search(text, limit: limit, filter: filter).hits.map(\.item.uniqueIdentifier)
    }

    func pass(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }
}
