import SwitchboardStorage
import SwitchboardKit

extension Session {
    /// Goes on only with the person's consent: asks them at a terminal, if they were not asked before.
    ///
    /// No answer is no consent, but is not remembered.
    ///
    /// - Throws: `StorageError.accessNotGranted` if they have not agreed.
    func requireAccess(_ subject: AccessSubject) throws {
        let storage = try switchboard().storage
        if isInteractive, try storage.status(of: subject) == .notDetermined,
            let agrees = ask("\(subject.defaultPurpose)\nAllow \(subject.rawValue)? [y/n] ")
        {
            try storage.setStatus(agrees ? .authorized : .denied, of: subject)
        }
        try storage.requireAccess(subject)
    }

    /// Asks a question that is answered with yes or no; nil if it is not answered.
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
