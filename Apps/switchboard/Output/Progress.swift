import Dispatch
import Synchronization
import SwitchboardTerminalText

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A line on a terminal's standard error that says how far long work is, and is gone afterwards.
final class Progress: Sendable {
    private struct State {
        /// When the line was written last.
        var time: ContinuousClock.Instant?
        var isOnScreen = false
        /// Moves on when work ends, so that a notice that comes too late knows it.
        var works = 0
    }

    private let isShown: Bool
    private let state = Mutex(State())
    private static let barWidth = 30
    /// After what time a person wonders.
    private static let patience = DispatchTimeInterval.milliseconds(300)

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows how much of the work is done, with a bar where the fraction is known; at most some twenty times a second.
    func show(_ text: @autoclosure () -> String, fraction: Double? = nil) {
        guard isShown else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if let time = state.time, now - time < .milliseconds(50) { return }
            state.time = now
            var line = ""
            if let fraction {
                let done = Int((min(max(fraction, 0), 1) * Double(Self.barWidth)).rounded())
                line += "[" + String(repeating: "#", count: done)
                line += String(repeating: ".", count: Self.barWidth - done) + "] "
            }
            put(line + text(), &state)
        }
    }

    /// Does something that is quick as a rule, and says what it is if it is not.
    func explaining<Value>(_ text: String, _ work: () throws -> Value) rethrows -> Value {
        guard isShown else { return try work() }
        let begun = state.withLock { $0.works }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
            state.withLock { if $0.works == begun { put(text, &$0) } }
        }
        defer { clear() }
        return try work()
    }

    /// Takes the line away.
    func clear() {
        state.withLock { state in
            if state.isOnScreen { say("\r\u{1B}[K") }
            state = State(works: state.works + 1)
        }
    }

    private func put(_ text: String, _ state: inout State) {
        say("\r\u{1B}[K" + TerminalText.harmless(text))
        state.isOnScreen = true
    }

    private func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
