import Foundation
import GeoClueStandIn

/// A D-Bus daemon on a socket in a temporary folder, stopped with the value.
final class BusDaemon {
    private static let program = "/usr/bin/dbus-daemon"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    struct NotStarted: Error {}

    let address: String
    private let process = Process()
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder.path)/bus"
        let configuration = folder.appending(path: "bus.conf")
        let text = """
            <busconfig><type>session</type><listen>\(address)</listen><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
            </policy></busconfig>
            """
        try text.write(to: configuration, atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address"]
        let ready = Pipe()
        process.standardOutput = ready
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The daemon prints its address once it listens.
        guard !ready.fileHandleForReading.availableData.isEmpty else { throw NotStarted() }
    }

    deinit {
        // SIGTERM may be blocked: the daemon inherits the signal mask of the thread that started it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func pause() { _ = process.suspend() }
    func resume() { _ = process.resume() }

    /// Runs a fake GeoClue service on the bus for the lifetime of the returned value.
    func serve(_ behaviour: sb_stand_in_behaviour) throws -> Service {
        guard let standIn = sb_stand_in_begin(address, behaviour) else { throw NotStarted() }
        return Service(standIn)
    }

    final class Service {
        private let standIn: OpaquePointer
        private let ended = DispatchSemaphore(value: 0)

        fileprivate init(_ standIn: OpaquePointer) {
            self.standIn = standIn
            // Only one other thread uses the pointer, and it finishes before `deinit` frees it.
            nonisolated(unsafe) let standIn = standIn
            let ended = ended
            Thread.detachNewThread {
                sb_stand_in_serve(standIn)
                ended.signal()
            }
        }

        var desktopID: String { String(cString: sb_stand_in_desktop_id(standIn)) }
        var accuracy: UInt32 { sb_stand_in_accuracy(standIn) }

        deinit {
            sb_stand_in_stop(standIn)
            ended.wait()
            sb_stand_in_end(standIn)
        }
    }
}
