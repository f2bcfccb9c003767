public import Foundation

/// Where the made-up data of a benchmark lies: `.build/data` of this package, or `$SWITCHBOARD_BENCHMARK_DATA`. It may be deleted at any time.
public enum DataFolder {
    /// The folder; made if it is missing.
    public static func path() throws -> String {
        let path =
            ProcessInfo.processInfo.environment["SWITCHBOARD_BENCHMARK_DATA"]
            ?? package.appending(path: ".build/data").path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// The path of made-up contacts, by `Scripts/generate-contacts`, seed 1; written if it is not there yet.
    ///
    /// - Parameter format: `vcard` or `jsonl`.
    /// - Throws: ``DataFolderError`` if the script failed.
    public static func contacts(_ count: Int, format: String) throws -> String {
        try made(
            "contacts-\(count).\(format == "vcard" ? "vcf" : format)", by: "generate-contacts",
            ["--count", String(count), "--seed", "1", "--format", format])
    }

    /// The path of made-up items as JSON lines, by `Scripts/generate-items`, seed 1; written if it is not there yet.
    ///
    /// - Throws: ``DataFolderError`` if the script failed.
    public static func items(_ count: Int) throws -> String {
        try made("items-\(count).jsonl", by: "generate-items", ["--count", String(count), "--seed", "1"])
    }

    private static func made(_ name: String, by script: String, _ arguments: [String]) throws -> String {
        let path = try path() + "/" + name
        if FileManager.default.fileExists(atPath: path) { return path }
        _ = FileManager.default.createFile(atPath: path + ".part", contents: nil)
        guard let output = FileHandle(forWritingAtPath: path + ".part") else {
            throw DataFolderError.unwritable(path: path)
        }
        let process = Process()
        process.executableURL = repository.appending(path: "Scripts/" + script)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw DataFolderError.scriptFailed(name: script, status: process.terminationStatus)
        }
        try FileManager.default.moveItem(atPath: path + ".part", toPath: path)
        return path
    }

    /// The folder of the whole project.
    public static var repository: URL { package.deletingLastPathComponent() }

    /// The folder of this package, known from the place of this file when it was compiled.
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Why there is no made-up data.
public enum DataFolderError: Error, Sendable, CustomStringConvertible {
    /// A file of the folder cannot be written.
    case unwritable(path: String)
    /// The script of this name ended with this status; run it by hand to see why.
    case scriptFailed(name: String, status: Int32)
    /// A file made here cannot be read back; delete the folder and run again.
    case unreadable(path: String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unwritable(let path): "\(path) cannot be written; set SWITCHBOARD_BENCHMARK_DATA to another folder"
        case .scriptFailed(let name, let status): "Scripts/\(name) ended with \(status); run it by hand to see why"
        case .unreadable(let path): "\(path) cannot be read; delete its folder and run again"
        }
    }
}
