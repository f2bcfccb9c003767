import SwitchboardKit
import SwitchboardStorage

extension Session {
    /// Checks that access is granted. At a terminal, asks the user if access was neither granted nor denied before.
    ///
    /// If the user does not answer, access is refused this time but not recorded as denied.
    ///
    /// - Throws: `StorageError.accessNotGranted` if access is not granted.
    func requireAccess(_ subject: AccessSubject) throws {
        let storage = try switchboard().storage
        if isInteractive, try storage.status(of: subject) == .notDetermined,
            let isAllowed = ask("\(subject.defaultPurpose)\nAllow \(subject.rawValue)? [y/n] ")
        {
            try storage.setStatus(isAllowed ? .authorized : .denied, of: subject)
        }
        try storage.requireAccess(subject)
    }

    /// Asks a yes-or-no question and returns the answer, or `nil` without one.
    private func ask(_ question: String) -> Bool? {
        progress.clear()
        for _ in 0..<3 {
            diagnostics.ask(question)
            guard let answer = readLine()?.lowercased().split(separator: " ").first else { return nil }
            if ["y", "yes"].contains(answer) { return true }
            if ["n", "no"].contains(answer) { return false }
        }
        return nil
    }
}
