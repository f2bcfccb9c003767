import Foundation

/// Programs built together with the tests.
package enum BuiltProgram {
    /// Returns the path in an environment variable, or else that of the program beside the tests.
    package static func path(of name: String, unless variable: String? = nil) -> String {
        if let given = variable.flatMap({ ProcessInfo.processInfo.environment[$0] }), !given.isEmpty { return given }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        // The test executable is beside the program; on other systems it is inside a bundle.
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let program = folder.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: program, isDirectory: &isFolder), !isFolder.boolValue {
                return program
            }
        }
        return name
    }
}
