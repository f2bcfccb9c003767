import Foundation
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardErrors
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardVCard
import SwitchboardWebFetch
import SwitchboardWebMarkup
import Testing

@testable import SwitchboardKit
@testable import SwitchboardSearchableIndex

/// The errors of all modules, compared with the table in docs/errors.md.
///
/// After adding an error, run the tests with `SWITCHBOARD_WRITE_ERRORS=1` to write the table.
@Suite("Error codes")
struct ErrorCodeTests {
    /// One of each error; of those with the same code, the first is listed.
    static let errors: [any CodedError] = [
        StorageError.missing(path: "a"), StorageError.notADatabase(path: "a", reason: "b"),
        StorageError.foreignDatabase(path: "a"), StorageError.newerSchema(path: "a", module: "b", migration: "c"),
        StorageError.damaged(path: "a", detail: "b"), StorageError.readOnly(path: "a"),
        StorageError.replica(path: "a"), StorageError.journalUnavailable(reason: "a"),
        StorageError.diskFull(path: "a"), StorageError.locked(path: "a"), StorageError.permissionDenied(path: "a"),
        StorageError.cannotOpen(path: "a", reason: "b"), StorageError.inputOutput(path: "a", reason: "b"),
        StorageError.missingModule("a"), StorageError.writeInRead,
        StorageError.migrationFailed(path: "a", module: "b", migration: "c", reason: "d"),
        StorageError.constraint(detail: "a"), StorageError.interrupted, StorageError.closed,
        StorageError.unsuitable(path: "a", reason: "b"),
        StorageError.restoreRefused(source: "a", because: .damaged(path: "a", detail: "b")),
        StorageError.accessNotGranted(.contacts, status: .denied, purpose: "a"),
        StorageError.failed(code: 1, detail: "a"),

        ContactBookError.notFound(id: "a"), ContactBookError.missingFile(path: "a"),
        ContactBookError.unreadable(path: "a", reason: "b"),
        ContactBookError.malformed(MalformedInput(line: 1, reason: "a")), ContactBookError.unknownGroup("a"),
        ContactBookError.noPhoto(id: "a"), ContactBookError.notAPicture(reason: "a"), ContactBookError.nameless,
        ContactBookError.tooLong(field: "note", limit: 64 << 10),
        ContactBookError.tooMany(field: "phone", limit: 1_000), ContactBookError.nulText(field: "note"),
        ContactBookError.duplicateID("a"), ContactBookError.nothingToMerge, ContactBookError.mergedWithItself(id: "a"),
        ContactBookError.notMerged(id: "a"), ContactBookError.noImport, ContactBookError.unknownEncoding("x"),
        ContactBookError.notRemoved(id: "a"), ContactBookError.notCalled(id: "a"),
        ContactBookError.changedSinceMerge(id: "a"), ContactBookError.changedSinceRead(id: "a"),
        ContactBookError.thereAgain(id: "a"),

        ContactSyncError.missingFolder(path: "a"), ContactSyncError.unreadable(path: "a", reason: "b"),
        ContactSyncError.notLinked(path: "a"), ContactSyncError.nothingLinked,
        ContactSyncError.folderEmptied(path: "a", count: 2), ContactSyncError.folderBusy(path: "a"),
        ContactSyncError.folderOfFolders(path: "a", first: "b"), ContactSyncError.noAddressBooks(reason: "a"),

        ProspectsError.notFound(id: "a"), ProspectsError.notRemoved(id: "a"), ProspectsError.metAgain(id: "a", as: "b"),
        ProspectsError.nameless, ProspectsError.tooLong(field: "name", limit: 1 << 10),
        ProspectsError.nulText(field: "note"),
        ProspectsError.notAnAddress("a"), ProspectsError.notANumber("a"),

        BadgeReadingError.notAPicture, BadgeReadingError.damaged(reason: "a"),
        BadgeReadingError.tooLarge(width: 1, height: 1, maximumPixels: 1), BadgeReadingError.outOfTime,
        BadgeReadingError.noMemory,
        BadgeReadingError.noReader, BadgeReadingError.noPictureLibrary(package: "a"),
        BadgePayload.ParsingError.unknown(text: "a"), BadgePayload.ParsingError.malformed(text: "a", reason: "b"),
        QRCodeError.tooLong(bytes: 1), QRCodeError.failed, QRCodeError.noWriter,

        RemindersError.notFound(id: "a"), RemindersError.past(Date(timeIntervalSince1970: 0)),
        RemindersError.unreadableTime("a"), RemindersError.noSuchTime("a"),
        ReminderTasksError.noSuchReminder(name: "a"), ReminderTasksError.invalidTask(reason: "a"),
        ReminderTasksError.uidConflict(name: "a"), ReminderTasksError.taskChanged("a"), DeliveryError.noDesktop,

        AirportsError.notACoordinate("a"), AirportsError.latitudeOutOfRange("91"),
        AirportsError.longitudeOutOfRange("181"), AirportsError.radiusOutOfRange("-1"),
        AirportsError.negativeLimit(-1), AirportsError.unknownCode("XXX"), AirportsError.malformedSnapshot("a"),
        AirportsError.locationUnreachable("a"), AirportsError.locationRefused("a"), AirportsError.noStorage,

        SearchableIndexError.notFound(id: "a"), SearchableIndexError.invalidItem(ItemError(reason: "a")),
        SearchableIndexError.invalidClientState(bytes: 251),
        SearchableIndexError.mismatchedClientState(expected: "a", found: nil), SearchableIndexError.invalidName("a"),
        SearchableIndexError.typeMismatch(attribute: "a", existing: "string"),
        SearchableIndexError.invalidQuery(.tooLong(limit: 9)), SearchableIndexError.activityNotFound(id: "a"),
        SearchableIndexError.missingUserInfo(id: "a", keys: ["b"]), SearchableIndexError.invalidated(id: "a"),
        SearchableIndexError.invalidSort(reason: "a"), SearchableIndexError.notIndexable("a"),
        SearchableIndexError.invalidSynonyms(reason: "a"),
        SearchableIndexError.invalidOwner(reason: "a"), SearchableIndexError.ownerNotFound(domain: "a"),
        ItemError(reason: "a", item: "b", attribute: "c"), QueryError.expected("a", found: "b", column: 1),

        KeypadQueryError.notAKey("a", position: 1), EntryKeyError.notAKey("a", position: 1),
        EntryKeyError.notALetter("1", position: 1), WordListError.truncated, WordListError.otherVersion,
        KeypadLearningError.notAWord("1"), KeypadLearningError.notLearned("a"),

        WebFetchError.badAddress("a"), WebFetchError.refusedScheme("a"), WebFetchError.unknownHost("a"),
        WebFetchError.privateAddress(url: "a", address: "b"), WebFetchError.unreachable(url: "a", reason: "b"),
        WebFetchError.insecure(url: "a", reason: "b"), WebFetchError.timedOut(url: "a"),
        WebFetchError.tooLarge(url: "a", limit: 1), WebFetchError.headTooLarge(url: "a"),
        WebFetchError.wrongType(url: "a", contentType: "b"), WebFetchError.damaged(url: "a", reason: "b"),
        WebFetchError.redirectLoop(url: "a"), WebFetchError.tooManyRedirects(url: "a", limit: 1),
        WebFetchError.redirectElsewhere(url: "a", target: "b"), WebFetchError.disallowed(url: "a"),
        WebFetchError.robotsUnreachable(url: "a", reason: "b"), WebFetchError.status(url: "a", status: 404),
        WebFetchError.status(url: "a", status: 500), WebFetchError.noMemory,
        WebFetchError.noLibrary,
        WebMarkupError.tooLarge(bytes: 1, limit: 1), WebMarkupError.notHTML(contentType: "a"),
        WebMarkupError.noLibrary, WebMarkupError.noMemory,
        AirportServerError.badAddress("a"), AirportServerError.fetching(server: "a", .timedOut(url: "b")),
        AirportServerError.malformed(server: "a", reason: "b"),

        IndexFormatError.truncated, IndexFormatError.otherVersion, IndexFormatError.checksum,
        IndexFormatError.section(1), IndexFormatError.file(path: "a", reason: "b"),
        MalformedInput(file: "a", line: 1, reason: "b"), syntaxError,
        AccountsError.invalidName("a"), AccountsError.unknownPerson("a"), AccountsError.unknownToken("a"),
        AccountsError.unknownSession("a"),
        AccountsError.unknownScope("a"), EditConflict(fields: []), SwitchboardError.usage("a"),
    ]

    static var syntaxError: any CodedError {
        do {
            _ = try JSONParser.value(of: Array("[".utf8))
            preconditionFailure("an unfinished list was parsed")
        } catch {
            return error
        }
    }

    @Test("Every error has a code, and a message that localizedDescription repeats", arguments: errors.indices)
    func message(index: Int) {
        let error = Self.errors[index]
        #expect(error.code.wholeMatch(of: /[a-z][A-Za-z]+/) != nil)
        #expect((error as any Error).localizedDescription == error.message)
        #expect(!error.message.isEmpty && !error.message.contains("\n"))
        // Errors of queries are sentences with a position, which clients show as they are.
        #expect(!error.message.hasSuffix(".") || error.code == "invalidQuery")
        let shown = SwitchboardError(error)
        #expect(shown.code == error.code && shown.message == error.message && shown.category == error.category)
    }

    @Test("docs/errors.md lists the codes of all errors")
    func table() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/errors.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let head = "| error | code | category |\n| --- | --- | --- |\n"
        let start = try #require(text.range(of: head))
        if ProcessInfo.processInfo.environment["SWITCHBOARD_WRITE_ERRORS"] != nil {
            try (text[..<start.upperBound] + Self.rows).write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(String(text[start.upperBound...]) == Self.rows)
    }

    static var rows: String {
        var rows: [String] = []
        for error in errors {
            let type = String(reflecting: Swift.type(of: error)).split(separator: ".").dropFirst()
            let row = "| `\(type.joined(separator: "."))` | `\(error.code)` | `\(error.category)` |\n"
            if !rows.contains(row) { rows.append(row) }
        }
        return rows.joined()
    }
}
