import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardVCard
import Testing

// Swift Testing has its own ExitStatus.
import enum SwitchboardKit.ExitStatus

@testable import SwitchboardKit

@Suite("Switchboard errors")
struct SwitchboardErrorTests {
    struct Unforeseen: Error {}

    static let cases: [(error: any Error, code: String, status: ExitStatus)] = [
        (StorageError.missing(path: "a"), "missing", .missing),
        (StorageError.notADatabase(path: "a", reason: "b"), "notADatabase", .malformed),
        (StorageError.newerSchema(path: "a", module: "b", migration: "c"), "newerSchema", .malformed),
        (StorageError.damaged(path: "a", detail: "b"), "damaged", .malformed),
        (StorageError.diskFull(path: "a"), "diskFull", .inputOutput),
        (StorageError.readOnly(path: "a"), "readOnly", .inputOutput),
        (StorageError.locked(path: "a"), "locked", .tryAgain),
        (
            StorageError.restoreRefused(source: "a", because: .damaged(path: "a", detail: "b")), "restoreRefused",
            .malformed
        ),
        (
            StorageError.accessNotGranted(.location, status: .denied, purpose: "p"), "accessNotGranted",
            .accessNotGranted
        ),
        (ContactBookError.notFound(id: "a"), "notFound", .nothingFound),
        (ContactBookError.missingFile(path: "a"), "missingFile", .missing),
        (ContactBookError.unreadable(path: "a", reason: "b"), "unreadable", .inputOutput),
        (ContactBookError.nameless, "nameless", .usage),
        (ContactBookError.malformed(MalformedInput(line: 1, reason: "a")), "malformedInput", .malformed),
        (ContactSyncError.folderBusy(path: "a"), "folderBusy", .tryAgain),
        (ContactSyncError.notLinked(path: "a"), "notLinked", .nothingFound),
        (AirportsError.unknownCode("XXX"), "unknownCode", .nothingFound),
        (AirportsError.latitudeOutOfRange("91"), "latitudeOutOfRange", .usage),
        (AirportsError.notACoordinate("x"), "notACoordinate", .usage),
        (AirportsError.malformedSnapshot("a"), "malformedInput", .malformed),
        (AirportsError.locationUnreachable("a"), "locationUnreachable", .unavailable),
        (AirportsError.locationRefused("a"), "locationRefused", .accessNotGranted),
        (BadgeReadingError.notAPicture, "notAPicture", .malformed),
        (BadgeReadingError.noReader, "noReader", .unavailable),
        (BadgeReadingError.noPictureLibrary(package: "libpng16-16"), "noPictureLibrary", .unavailable),
        (QRCodeError.empty, "noCode", .usage), (QRCodeError.noWriter, "noCode", .unavailable),
        (KeypadQueryError.notAKey("x", position: 1), "notAKey", .usage),
        (CancellationError(), "cancelled", .interrupted),
        (SwitchboardError.usage("a"), "usage", .usage),
        (Unforeseen(), "internal", .internalError),
    ]

    @Test("Each module's errors have a code and an exit status", arguments: cases.indices)
    func mapping(index: Int) {
        let (error, code, status) = Self.cases[index]
        let converted = SwitchboardError(error)
        #expect(converted.code == code)
        #expect(converted.status == status)
        #expect(!converted.message.isEmpty && !converted.message.contains("\n"))
    }

    @Test("The description begins with the location")
    func text() {
        let input = MalformedInput(file: "a.vcf", line: 12, column: 3, reason: "no END")
        #expect(SwitchboardError(input).description == "a.vcf:12:3: no END")
        #expect(
            SwitchboardError(MalformedInput(file: "a.vcf", line: 12, reason: "no END")).description
                == "a.vcf:12: no END")
        #expect(
            SwitchboardError(AirportsError.malformedSnapshot("torn")).about(file: "p.gz").description.hasPrefix(
                "p.gz: "))
        #expect(
            SwitchboardError(StorageError.missing(path: "/a/b")).description
                == StorageError.missing(path: "/a/b").message)
    }

    @Test("The JSON has the documented fields, in order")
    func json() throws {
        let input = MalformedInput(file: "a.vcf", line: 12, column: 3, reason: "no END")
        #expect(
            try OrderedJSON.text(ErrorResponse(SwitchboardError(input)))
                == #"{"error": {"code": "malformedInput", "message": "no END", "file": "a.vcf", "line": 12, "column": 3}}"#
        )
        #expect(
            try OrderedJSON.text(ErrorResponse(.usage("what?"), query: "x"))
                == #"{"query": "x", "error": {"code": "usage", "message": "what?", "file": null, "line": null, "column": null}}"#
        )
    }
}
