import Foundation

/// How much memory this process holds, from `/proc/self`, in bytes; zeros where there is none.
public struct Residency: Sendable {
    /// All pages in memory that the process has mapped (VmRSS).
    public var resident = 0
    /// The same, with pages shared with other processes counted by their share.
    public var proportional = 0
    /// What no file backs: heap and stacks.
    public var anonymous = 0
    /// The most that was ever resident (VmHWM).
    public var peak = 0

    /// No memory.
    public init() {}

    /// The memory now.
    public static func now() -> Residency {
        var residency = Residency()
        for (name, kibibytes) in lines(of: "smaps_rollup") + lines(of: "status") {
            switch name {
            case "Rss:": residency.resident = kibibytes * 1024
            case "Pss:": residency.proportional = kibibytes * 1024
            case "Anonymous:": residency.anonymous = kibibytes * 1024
            case "VmHWM:": residency.peak = kibibytes * 1024
            default: break
            }
        }
        return residency
    }

    private static func lines(of file: String) -> [(name: Substring, kibibytes: Int)] {
        guard let text = try? String(contentsOfFile: "/proc/self/" + file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count == 3 && words[2] == "kB" ? Int(words[1]).map { (words[0], $0) } : nil
        }
    }
}
