import Foundation
import Glibc
import SwitchboardDBus
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

@Suite("The tutorial of the desktop's search", .enabled(if: SessionBus.isInstalled), .timeLimit(.minutes(2)))
struct DesktopRecipesTests {
    @Test("The example is installed, found, and opened at the right place, also after it was killed")
    func example() throws {
        let bus = try SessionBus(try Bench())
        let recipes = "org.example.Recipes"
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Examples/DesktopRecipes/desktop").standardized.path
        try FileManager.default.createDirectory(
            atPath: bus.bench.path(".local/share/applications"), withIntermediateDirectories: true)
        for (file, target) in [("desktop", "applications"), ("service", "dbus-1/services")] {
            let text = try String(contentsOfFile: "\(folder)/\(recipes).\(file)", encoding: .utf8)
                .replacing("/usr/bin/desktop-recipes", with: BuiltProgram.path(of: "desktop-recipes"))
            _ = try bus.bench.file(".local/share/\(target)/\(recipes).\(file)", text)
        }
        let shell = try bus.connection()
        try shell.call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ReloadConfig")

        // The person starts it once.
        try shell.call(
            recipes, path: "/org/example/Recipes", interface: "org.freedesktop.Application", "Activate",
            [.dictionary([:])], timeout: .seconds(30))
        try bus.awaitLog("recipes: showing all recipes")

        let leeks = try #require(try shell.shellResults("borek").first)
        _ = try shell.shell("ActivateResult", .string(leeks), .strings(["borek"]), .uint32(0))
        try bus.awaitLog("recipes: showing Börek with leeks, step 1: Fry the leeks.")

        let process = try shell.process(of: recipes)
        kill(pid_t(process), SIGKILL)
        try eventually("the bus knows that the example has ended") { (try? shell.process(of: recipes)) != process }
        let soup = try #require(try shell.shellResults("step soup").first)
        _ = try shell.shell("ActivateResult", .string(soup), .strings(["step", "soup"]), .uint32(0))
        try bus.awaitLog("recipes: showing Ribollita, step 2: Add the kale.")
        #expect(try shell.process(of: recipes) != process)
        #expect(try bus.opened() == [], "no handler of URLs was started")
    }
}

extension SessionBus {
    /// Waits until a program that the bus started has printed a line.
    fileprivate func awaitLog(_ line: String) throws {
        try eventually("the log has “\(line)”") {
            try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").contains { $0 == line }
        }
    }
}
