import Dispatch
import SwitchboardKeypad
import SwitchboardKit
import Synchronization
import SwitchboardTerminalInterface

/// Text entry with nine keys: looks the words up, in the order of the keys, and learns them when they end.
final class WordEntry: Sendable {
    private struct Run {
        let number: Int
        var typing: KeypadTyping
    }

    private let switchboard: Switchboard
    private let mailbox: Mailbox
    private let queue = DispatchQueue(label: "Words", qos: .userInteractive)
    private let run = Mutex<Run?>(nil)

    init(_ switchboard: Switchboard, mailbox: Mailbox) {
        self.switchboard = switchboard
        self.mailbox = mailbox
    }

    /// Presses a key of a run, or ends its last word.
    func press(_ key: EntryKey?, run number: Int) {
        queue.async {
            let typed = self.run.withLock { run in
                guard let key else {
                    self.finish(&run, number)
                    return nil as Typed?
                }
                return self.typed(key, &run, number)
            }
            if let typed { self.mailbox.post(.typed(typed)) }
        }
    }

    /// Waits for what was typed to be learnt.
    func end() { queue.sync {} }

    private func finish(_ run: inout Run?, _ number: Int) {
        defer { run = nil }
        guard run?.number == number else { return }
        do {
            try run?.typing.finish()
        } catch {
            mailbox.post(.failed(Fault(error).description))
        }
    }

    private func typed(_ key: EntryKey, _ run: inout Run?, _ number: Int) -> Typed {
        var typed = Typed(run: number, text: "")
        do {
            if run?.number != number { run = Run(number: number, typing: try switchboard.typing()) }
            guard var typing = run?.typing else { return typed }
            defer { run?.typing = typing }
            do {
                try typing.press(key)
            } catch {
                // The word stands nevertheless; it was not learnt.
                typed.failure = Fault(error).description
            }
            typed.text = try typing.text()
            typed.candidates = try typing.candidates()
            typed.keys = String(decoding: typing.entry.typedKeys, as: UTF8.self)
            typed.choice = typing.entry.choice
        } catch {
            typed.failure = Fault(error).description
        }
        return typed
    }
}
