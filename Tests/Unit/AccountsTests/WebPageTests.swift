import Foundation
import SwitchboardWebPage
import Testing

@Suite("The files of the web page")
struct WebPageTests {
    /// The folder of the repository.
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("The bundles belong to the sources, and everything is embedded unchanged; Scripts/page/bundle does both")
    func embeddedFilesMatchSources() throws {
        let check = Process()
        check.executableURL = root.appending(path: "Scripts/page/bundle")
        check.arguments = ["--check"]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
        let folder = root.appending(path: "Apps/switchboard-server/CWebPage")
        let names = [
            "/": "page/index.html", "/manifest.webmanifest": "page/manifest.webmanifest",
            "/embed/airports.js": "bundle/airports.js", "/worker.js": "bundle/worker.js",
        ]
        for file in WebPage.files {
            let name =
                names[file.path]
                ?? (file.isImmutable ? "bundle/" + Self.bundle(at: file.path) : "." + file.path)
            #expect(Data(file.bytes) == (try Data(contentsOf: folder.appending(path: name))), "\(file.path)")
        }
        let page = String(decoding: try #require(WebPage.file(at: "/")).bytes, as: UTF8.self)
        let immutable = WebPage.files.filter(\.isImmutable)
        let script = try #require(immutable.first { $0.path.hasPrefix("/page/app-") && $0.path.hasSuffix(".js") })
        let worker = String(decoding: try #require(WebPage.file(at: "/worker.js")).bytes, as: UTF8.self)
        #expect(immutable.count == 7 && immutable.allSatisfy { worker.contains("\"\($0.path)\"") })
        let later = immutable.filter { !page.contains("\"\($0.path)\"") }
        #expect(
            Set(later.map { Self.bundle(at: $0.path) })
                == ["badge.js", "camera.js", "coastlines.js", "contact-form.js"])
        // A script that is loaded later has the address that the first one names.
        let text = String(decoding: script.bytes, as: UTF8.self)
        #expect(later.allSatisfy { text.contains("import(\"\($0.path)\")") })
    }

    /// Returns the name of the bundle at an address with a hash, such as `/page/app-0123456789abcdef.js`.
    private static func bundle(at path: String) -> String {
        String(path.dropFirst("/page/".count).replacing(/-[0-9a-f]{16}/, with: ""))
    }

    @Test("Paths are unique, and the page itself is first")
    func pathsAreUnique() {
        #expect(WebPage.files.first?.path == "/")
        #expect(Set(WebPage.files.map(\.path)).count == WebPage.files.count)
        #expect(WebPage.file(at: "/")?.contentType == "text/html; charset=utf-8")
        #expect(
            WebPage.files.first { $0.isImmutable && $0.path.hasSuffix(".js") }?.contentType
                == "text/javascript; charset=utf-8")
    }

    @Test(
        "Unknown paths have no file",
        arguments: ["", "/page", "/page/", "/page/../Package.swift", "/index.html", "//"])
    func unknownPaths(path: String) {
        #expect(WebPage.file(at: path) == nil)
    }

    @Test("The page has no inline code and loads nothing from other origins")
    func nothingInline() throws {
        let text = String(decoding: try #require(WebPage.file(at: "/")).bytes, as: UTF8.self)
        #expect(!text.contains("<style") && !text.contains("style=") && !text.contains(" on"))
        #expect(!text.contains("//"), "a URL of another origin")
        for script in text.components(separatedBy: "<script").dropFirst() {
            #expect(script.hasPrefix(" type=\"module\" src=\"/page/"))
        }
    }

    @Test("The policy forbids inline code and markup from text")
    func policy() {
        let directives = WebPage.contentSecurityPolicy.components(separatedBy: "; ")
        #expect(directives.contains("default-src 'self'") && !WebPage.contentSecurityPolicy.contains("unsafe"))
        #expect(
            directives.contains("require-trusted-types-for 'script'") && directives.contains("trusted-types worker"))
    }
}
