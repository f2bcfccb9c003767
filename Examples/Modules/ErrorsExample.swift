import SwitchboardErrors
import SwitchboardStorage

func report(_ error: any CodedError) -> String {
    switch error.category {
    case .locked, .unavailable: "Try again later: \(error.message)"
    case .internalError: "Please report this (\(error.code)): \(error.message)"
    default: error.message
    }
}

func errors() {
    print(report(StorageError.locked(path: "people.sqlite")))
}
