import Foundation

/// How much memory this process holds, from `/proc/self/smaps_rollup`, in bytes; zeros where there is none.
public struct Residency: Sendable {
    /// All pages in memory that the process has mapped (VmRSS).
    public var resident = 0
    /// The same, with pages shared with other processes counted by their share.
    public var proportional = 0
    /// What no file backs: heap and stacks.
    public var anonymous = 0

    /// No memory.
    public init() {}

    /// The memory now.
    public static func now() -> Residency {
        var residency = Residency()
        guard let text = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8) else {
            return residency
        }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 2, let kibibytes = Int(words[1]) else { continue }
            switch words[0] {
            case "Rss:": residency.resident = kibibytes * 1024
            case "Pss:": residency.proportional = kibibytes * 1024
            case "Anonymous:": residency.anonymous = kibibytes * 1024
            default: break
            }
        }
        return residency
    }
}
