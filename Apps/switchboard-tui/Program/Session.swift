import CSwitchboardNcurses
import SwitchboardKit
import SwitchboardTerminalInterface

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One run: keys and answers go into the interface, its screen to the terminal, its requests to the work.
///
/// The loop waits for keys, signals and answers, and for nothing else: whatever may take time is done by ``Work`` on other threads.
final class Session {
    /// Why it ended.
    enum Ending {
        case quit
        case signal(Int32)
    }

    private let terminal: Terminal
    private let work: Work
    private let mailbox = Mailbox()
    private var interface: Interface
    private var keys = Keys()
    private var ending: Ending?

    init(_ terminal: Terminal, _ switchboard: Switchboard, _ server: AirportServer?) {
        self.terminal = terminal
        work = Work(switchboard, server, mailbox: mailbox)
        interface = Interface(
            size: terminal.size, language: switchboard.settings.language, hasColours: terminal.hasColours)
    }

    /// WordSuffixes until the person leaves or a signal ends it.
    func run() -> Ending {
        work.begin()
        execute(interface.begin())
        while true {
            terminal.show(interface.screen())
            let awakening = terminal.wait()
            if awakening.contains(.call) { readCalls() }
            for event in mailbox.take() { execute(interface.handle(event)) }
            // All that was typed meanwhile is one step: only what comes of it is drawn.
            if awakening.contains(.keys) {
                while ending == nil, let event = keys.next() { execute(interface.handle(event)) }
            }
            if awakening.contains(.gone), !awakening.contains(.keys) { ending = .signal(SIGHUP) }
            if let ending {
                work.end()
                return ending
            }
        }
    }

    private func execute(_ requests: [Request]) {
        for request in requests {
            switch request {
            case .quit: ending = .quit
            case .suspend:
                terminal.suspend()
                resize()
            case .redraw: terminal.redraw()
            default: work.execute(request)
            }
        }
    }

    /// What signals there were; a zero only wakes.
    private func readCalls() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { read(sb_terminal_signals(), $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        for number in Set(bytes[..<count]).map(Int32.init) {
            switch number {
            case SIGTERM, SIGHUP, SIGINT, SIGQUIT: ending = .signal(number)
            case SIGWINCH: resize()
            case SIGTSTP: execute([.suspend])
            case SIGCONT:
                terminal.retake()
                resize()
            default: break
            }
        }
    }

    private func resize() { execute(interface.handle(.resized(terminal.size))) }
}
