import Dispatch
import Foundation
import SwitchboardTerminalText
import Synchronization

/// A progress line on standard error, shown only in a terminal and erased afterwards.
final class Progress: Sendable {
    private struct State {
        /// The time of the last update.
        var time: ContinuousClock.Instant?
        var isOnScreen = false
        /// Increases when work ends, so that a delayed message can tell that it is outdated.
        var generation = 0
    }

    private let isShown: Bool
    private let state = Mutex(State())
    private static let barWidth = 30
    /// The delay before ``explaining(_:_:)`` shows its text.
    private static let explanationDelay = DispatchTimeInterval.milliseconds(300)

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows the progress, with a bar if the fraction is known. Updates at most 20 times per second.
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

    /// Performs work that is usually fast, and shows a text if it takes longer.
    func explaining<Value>(_ text: String, _ work: () throws -> Value) rethrows -> Value {
        guard isShown else { return try work() }
        let begun = state.withLock { $0.generation }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.explanationDelay) { [self] in
            state.withLock { if $0.generation == begun { put(text, &$0) } }
        }
        defer { clear() }
        return try work()
    }

    /// Erases the line.
    func clear() {
        state.withLock { state in
            if state.isOnScreen { say("\r\u{1B}[K") }
            state = State(generation: state.generation + 1)
        }
    }

    private func put(_ text: String, _ state: inout State) {
        say("\r\u{1B}[K" + TerminalText.sanitized(text))
        state.isOnScreen = true
    }

    private func say(_ text: String) {
        _ = StandardStreams.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
