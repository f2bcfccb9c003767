import Foundation
import SwitchboardContacts
import SwitchboardStorage
import Synchronization
import Testing

@testable import SwitchboardContactSync

/// A folder of cards, a book linked to it, and a clock that advances by a second with each call.
final class FolderFixture: Sendable {
    let root: String
    let path: String
    let book: ContactBook

    init(region: String? = "TR", isGranted: Bool = true) throws {
        root = NSTemporaryDirectory() + "switchboard-" + UUID().uuidString
        path = root + "/cards"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let storage = try Storage.inMemory(migrations: [ContactBook.migrations])
        if isGranted { try storage.setStatus(.authorized, of: .contacts) }
        let time = Mutex(1_700_000_000.0)
        book = ContactBook(storage: storage, region: region) {
            Date(
                timeIntervalSince1970: time.withLock { time in
                    time += 1
                    return time
                })
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    static func card(_ identifier: String, _ name: String, _ lines: String...) -> String {
        let words = name.split(separator: " ")
        let start = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:\(identifier)", "FN:\(name)",
            "N:\(words.last ?? "");\(words.dropLast().joined(separator: " "));;;",
        ]
        return (start + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    static func contact(_ name: String, phones: [String] = [], emails: [String] = []) -> Contact {
        var contact = Contact()
        contact.setWholeName(name)
        contact.phones = phones.map { Phone(typed: $0, region: "TR") }
        contact.emails = emails.map { Email(typed: $0) }
        return contact
    }

    func write(_ name: String, _ text: String, in folder: String? = nil) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder ?? path)/\(name)"), options: .atomic)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
    }

    func delete(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// Returns the names of all directory entries, including hidden ones.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    @discardableResult
    func link(_ options: LinkOptions = LinkOptions()) throws -> SyncReport {
        try book.sync(try book.link(path, options: options))
    }

    @discardableResult
    func sync(_ options: SyncOptions = SyncOptions()) throws -> SyncReport {
        try book.sync(try book.folder(path), options: options)
    }

    /// Returns the contact with a displayed name.
    func contact(_ name: String) throws -> Contact {
        try #require(try book.list().first { $0.displayName == name })
    }

    func displayNames() throws -> [String] { try book.list().map(\.displayName) }

    /// Expects that another sync changes nothing.
    func expectInSync(_ location: SourceLocation = #_sourceLocation) throws {
        let report = try sync()
        #expect(report.isEmpty, "\(report)", sourceLocation: location)
    }
}

extension SyncReport {
    /// The non-zero counts as text.
    var counts: String {
        let all = [
            ("added", added), ("updated", updated), ("removed", removed), ("unchanged", unchanged),
            ("written", written),
            ("deleted", deleted), ("conflicts", conflicts.count), ("skipped", skipped.count),
        ]
        return all.filter { $0.1 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
