import Dispatch
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardTerminalInterface
import Synchronization

/// The word lookup of keypad typing, in the order of the keys; it learns the words when they end.
final class WordEntry: Sendable {
    private struct Session {
        let number: Int
        var typing: KeypadTyping
    }

    private let switchboard: Switchboard
    private let events: EventQueue
    private let queue = DispatchQueue(label: "Words", qos: .userInteractive)
    private let session = Mutex<Session?>(nil)

    init(_ switchboard: Switchboard, events: EventQueue) {
        self.switchboard = switchboard
        self.events = events
    }

    /// Presses a key of a session, or finishes its last word (nil).
    func press(_ key: EntryKey?, session number: Int) {
        queue.async {
            let update = self.session.withLock { session in
                guard let key else {
                    self.finish(&session, number)
                    return nil as KeypadUpdate?
                }
                return self.update(after: key, &session, number)
            }
            if let update { self.events.post(.keypadUpdated(update)) }
        }
    }

    /// Waits until all words are learnt.
    func flush() { queue.sync {} }

    private func finish(_ session: inout Session?, _ number: Int) {
        defer { session = nil }
        guard session?.number == number else { return }
        do {
            try session?.typing.finish()
        } catch {
            events.post(.failed(SwitchboardError(error).description))
        }
    }

    private func update(after key: EntryKey, _ session: inout Session?, _ number: Int) -> KeypadUpdate {
        var update = KeypadUpdate(session: number, text: "")
        do {
            if session?.number != number { session = Session(number: number, typing: try switchboard.typing()) }
            guard var typing = session?.typing else { return update }
            defer { session?.typing = typing }
            do {
                try typing.press(key)
            } catch {
                // The word was typed, but not learnt.
                update.failure = SwitchboardError(error).description
            }
            update.text = try typing.text()
            update.candidates = try typing.candidates()
            update.keys = String(decoding: typing.entry.typedKeys, as: UTF8.self)
            update.choice = typing.entry.choice
        } catch {
            update.failure = SwitchboardError(error).description
        }
        return update
    }
}
