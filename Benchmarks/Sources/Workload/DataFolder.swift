public import Foundation

/// The folder of generated data: `.build/data` of this package, or `$SWITCHBOARD_BENCHMARK_DATA`. It may be deleted at
/// any time.
public enum DataFolder {
    /// The path of the folder; created if missing.
    public static func path() throws -> String {
        let path =
            ProcessInfo.processInfo.environment["SWITCHBOARD_BENCHMARK_DATA"]
            ?? package.appending(path: ".build/data").path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// The path of contacts from `Scripts/data/generate-contacts`, seed 1; generated if missing.
    ///
    /// - Parameter format: `vcard` or `jsonl`.
    /// - Throws: ``DataFolderError`` if the script fails.
    public static func contacts(_ count: Int, format: String) throws -> String {
        try generated(
            "contacts-\(count).\(format == "vcard" ? "vcf" : format)", by: "generate-contacts",
            ["--count", String(count), "--seed", "1", "--format", format])
    }

    /// The path of items as JSON lines from `Scripts/data/generate-items`, seed 1; generated if missing.
    ///
    /// - Throws: ``DataFolderError`` if the script fails.
    public static func items(_ count: Int) throws -> String {
        try generated("items-\(count).jsonl", by: "generate-items", ["--count", String(count), "--seed", "1"])
    }

    private static func generated(_ name: String, by script: String, _ arguments: [String]) throws -> String {
        let path = try path() + "/" + name
        if FileManager.default.fileExists(atPath: path) { return path }
        _ = FileManager.default.createFile(atPath: path + ".part", contents: nil)
        guard let output = FileHandle(forWritingAtPath: path + ".part") else {
            throw DataFolderError.unwritable(path: path)
        }
        let process = Process()
        process.executableURL = repository.appending(path: "Scripts/data/" + script)
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

    /// The folder of this package, from the path of this file when it was compiled.
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// An error of generating data.
public enum DataFolderError: Error, Sendable, CustomStringConvertible {
    /// A file of the folder cannot be written.
    case unwritable(path: String)
    /// The script with this name failed with this status.
    case scriptFailed(name: String, status: Int32)
    /// A generated file cannot be read.
    case unreadable(path: String)

    /// The problem and its remedy.
    public var description: String {
        switch self {
        case .unwritable(let path): "cannot write \(path); set SWITCHBOARD_BENCHMARK_DATA to another folder"
        case .scriptFailed(let name, let status):
            "Scripts/data/\(name) failed with status \(status); run it by hand for its output"
        case .unreadable(let path): "cannot read \(path); delete its folder and run again"
        }
    }
}
