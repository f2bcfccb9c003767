import Foundation

/// The memory of this process in bytes, from `/proc/self`; zeros if that does not exist.
public struct MemoryUsage: Sendable {
    /// All resident pages (VmRSS).
    public var resident = 0
    /// The memory that no file backs: heap and stacks.
    public var anonymous = 0
    /// The peak of the resident memory (VmHWM).
    public var peak = 0

    /// Creates a usage of no memory.
    public init() {}

    /// Returns the current memory usage.
    public static func now() -> MemoryUsage {
        var usage = MemoryUsage()
        for (name, kibibytes) in lines(of: "smaps_rollup") + lines(of: "status") {
            switch name {
            case "Rss:": usage.resident = kibibytes * 1024
            case "Anonymous:": usage.anonymous = kibibytes * 1024
            case "VmHWM:": usage.peak = kibibytes * 1024
            default: break
            }
        }
        return usage
    }

    private static func lines(of file: String) -> [(name: Substring, kibibytes: Int)] {
        guard let text = try? String(contentsOfFile: "/proc/self/" + file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count == 3 && words[2] == "kB" ? Int(words[1]).map { (words[0], $0) } : nil
        }
    }
}
