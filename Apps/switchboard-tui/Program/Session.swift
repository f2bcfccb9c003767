import CSwitchboardNcurses
import Foundation
import SwitchboardKit
import SwitchboardTerminalInterface

/// The event loop: passes input and responses to the interface, draws its screen and executes its requests.
///
/// The loop waits only for input, signals and responses; ``RequestHandler`` runs everything slow on other threads.
final class Session {
    /// The reason why the loop ended.
    enum ExitReason {
        case quit
        case signal(Int32)
    }

    private let terminal: Terminal
    private let handler: RequestHandler
    private let events = EventQueue()
    private var interface: Interface
    private var keys = KeyReader()
    private var exitReason: ExitReason?

    init(_ terminal: Terminal, _ switchboard: Switchboard, _ server: AirportServer?) {
        self.terminal = terminal
        handler = RequestHandler(switchboard, server, events: events)
        interface = Interface(
            size: terminal.size, language: switchboard.settings.language, hasColours: terminal.hasColours)
    }

    /// Runs until the user quits or a signal arrives.
    func run() -> ExitReason {
        handler.start()
        execute(interface.start())
        while true {
            terminal.show(interface.screen())
            let readiness = terminal.wait()
            if readiness.contains(.wakeup) { readSignals() }
            for event in events.drain() { execute(interface.handle(event)) }
            // All pending keys are handled before the next screen is drawn.
            if readiness.contains(.input) {
                while exitReason == nil, let event = keys.next() { execute(interface.handle(event)) }
            }
            if readiness.contains(.hangup), !readiness.contains(.input) { exitReason = .signal(SIGHUP) }
            if let exitReason {
                handler.stop()
                return exitReason
            }
        }
    }

    private func execute(_ requests: [Request]) {
        for request in requests {
            switch request {
            case .quit: exitReason = .quit
            case .suspend:
                terminal.suspend()
                resize()
            case .redraw: terminal.redraw()
            default: handler.execute(request)
            }
        }
    }

    /// Handles pending signals; a zero byte only wakes the loop.
    private func readSignals() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { read(sb_terminal_signals(), $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        for number in Set(bytes[..<count]).map(Int32.init) {
            switch number {
            case SIGTERM, SIGHUP, SIGINT, SIGQUIT: exitReason = .signal(number)
            case SIGWINCH: resize()
            case SIGTSTP: execute([.suspend])
            case SIGCONT:
                terminal.reopen()
                resize()
            default: break
            }
        }
    }

    private func resize() { execute(interface.handle(.resized(terminal.size))) }
}
