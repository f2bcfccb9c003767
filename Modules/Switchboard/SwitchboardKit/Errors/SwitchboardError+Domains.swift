import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardVCard
import SwitchboardWebFetch
import SwitchboardWebMarkup

extension SwitchboardError {
    /// Converts an error of any module.
    ///
    /// An unexpected error becomes an internal error.
    public init(_ error: any Error) {
        switch error {
        case let error as SwitchboardError: self = error
        case let error as StorageError: self.init(storage: error)
        case let error as ContactBookError: self.init(contacts: error)
        case let error as ContactSyncError: self.init(sync: error)
        case let error as MalformedInput: self.init(malformed: error)
        case let error as ProspectsError: self.init(prospects: error)
        case let error as BadgeReadingError:
            self.init(
                code: error.code, message: error.description,
                status: error.isAboutInstallation ? .unavailable : .malformed)
        case let error as QRCodeError: self.init(code: error)
        case let error as RemindersError:
            self.init(
                code: error.code, message: error.message, status: error.isAboutIdentifier ? .nothingFound : .usage)
        case let error as DeliveryError:
            self.init(code: "notDelivered", message: error.description, status: .unavailable)
        case let error as AirportsError: self.init(airports: error)
        case let error as SearchableIndexError: self.init(items: error)
        case let error as QueryError:
            self.init(code: "invalidQuery", message: error.description, column: error.column, status: .usage)
        case let error as AirportServerError:
            self.init(code: error.code, message: error.description, status: error.status)
        case let error as WebFetchError: self.init(fetching: error)
        case let error as WebMarkupError:
            let status: ExitStatus = error == .noLibrary ? .unavailable : error == .noMemory ? .tryAgain : .malformed
            self.init(code: error.code, message: error.description, status: status)
        case let error as KeypadQueryError:
            self.init(code: "notAKey", message: error.description, status: .usage)
        case let error as EntryKeyError:
            self.init(code: "notAKey", message: error.description, status: .usage)
        case let error as KeypadLearningError:
            let status: ExitStatus = if case .notLearned = error { .nothingFound } else { .usage }
            self.init(code: error.code, message: error.description, status: status)
        case let error as WordListError:
            self.init(code: "internal", message: error.description, status: .internalError)
        case is CancellationError:
            self.init(code: "cancelled", message: "cancelled", status: .interrupted)
        default:
            self.init(code: "internal", message: "internal error: \(error)", status: .internalError)
        }
    }

    private init(storage error: StorageError) {
        self.init(
            code: error.code, message: error.message, file: error.path, status: ExitStatus(error.category))
    }

    private init(contacts error: ContactBookError) {
        switch error {
        case .malformed(let input): self.init(malformed: input)
        case .notFound, .notMerged, .unknownGroup, .noPhoto:
            self.init(code: error.code, message: error.message, status: .nothingFound)
        case .missingFile(let path), .unreadable(let path, _):
            self.init(code: error.code, message: error.message, file: path, status: ExitStatus(error.category))
        case .nameless, .duplicateID, .nothingToMerge, .mergedWithItself, .changedSinceMerge, .thereAgain,
            .notAPicture:
            self.init(code: error.code, message: error.message, status: ExitStatus(error.category))
        }
    }

    private init(sync error: ContactSyncError) {
        switch error {
        case .notLinked, .nothingLinked:
            self.init(code: error.code, message: error.message, status: .nothingFound)
        case .missingFolder(let path), .unreadable(let path, _), .folderEmptied(let path, _), .folderBusy(let path),
            .folderOfFolders(let path, _):
            self.init(code: error.code, message: error.message, file: path, status: ExitStatus(error.category))
        }
    }

    private init(prospects error: ProspectsError) {
        switch error {
        case .notFound, .notRemoved: self.init(code: error.code, message: error.message, status: .nothingFound)
        case .metAgain, .nameless, .notAnAddress, .notANumber:
            self.init(code: error.code, message: error.message, status: ExitStatus(error.category))
        }
    }

    private init(items error: SearchableIndexError) {
        switch error {
        case .invalidItem(let fault):
            self.init(
                code: "malformedInput", message: error.message, line: fault.line, column: fault.column,
                status: .malformed)
        case .invalidQuery(let query): self.init(query)
        case .notFound, .activityNotFound: self.init(code: error.code, message: error.message, status: .nothingFound)
        case .missingUserInfo, .invalidated, .invalidClientState, .invalidName, .typeMismatch, .mismatchedClientState:
            self.init(code: error.code, message: error.message, status: ExitStatus(error.category))
        }
    }

    init(fetching error: WebFetchError) {
        let status: ExitStatus =
            switch error {
            case .badAddress, .refusedScheme: .usage
            case .tooLarge, .headTooLarge, .wrongType, .damaged, .redirectLoop, .tooManyRedirects, .redirectElsewhere:
                .malformed
            case .status(_, 404), .status(_, 410): .missing
            case .privateAddress, .disallowed: .accessNotGranted
            case .cancelled: .interrupted
            case .noMemory: .tryAgain
            case .unknownHost, .unreachable, .insecure, .timedOut, .robotsUnreachable, .status, .noLibrary: .unavailable
            }
        self.init(code: error.code, message: error.description, status: status)
    }

    private init(malformed input: MalformedInput) {
        self.init(
            code: "malformedInput", message: input.reason, file: input.file.isEmpty ? nil : input.file,
            line: input.line, column: input.column, status: .malformed)
    }

    private init(airports error: AirportsError) {
        let code =
            switch error {
            case .notACoordinate: "notACoordinate"
            case .latitudeOutOfRange: "latitudeOutOfRange"
            case .longitudeOutOfRange: "longitudeOutOfRange"
            case .radiusOutOfRange: "radiusOutOfRange"
            case .negativeLimit: "negativeLimit"
            case .unknownCode: "unknownCode"
            case .malformedSnapshot: "malformedInput"
            case .locationUnreachable: "locationUnreachable"
            case .locationRefused: "locationRefused"
            case .noStorage: "noStorage"
            }
        let status: ExitStatus =
            switch error.category {
            case .usage: .usage
            case .malformed: .malformed
            case .notFound: .nothingFound
            case .unreachable: .unavailable
            case .access: .accessNotGranted
            case .inputMissing: .missing
            }
        self.init(code: code, message: error.description, status: status)
    }
}

extension RemindersError {
    fileprivate var isAboutIdentifier: Bool {
        if case .notFound = self { true } else { false }
    }
}

extension ExitStatus {
    init(_ category: StorageError.Category) {
        switch category {
        case .malformed: self = .malformed
        case .missing: self = .missing
        case .io: self = .inputOutput
        case .locked: self = .tryAgain
        case .access: self = .accessNotGranted
        case .usage: self = .usage
        case .internalError: self = .internalError
        }
    }
}

extension SwitchboardError {
    fileprivate init(code error: QRCodeError) {
        let status: ExitStatus =
            switch error {
            case .empty, .tooLong: .usage
            case .failed: .internalError
            case .noWriter, .noPictureLibrary: .unavailable
            }
        self.init(code: "noCode", message: error.description, status: status)
    }
}
