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
                ?? (file.isImmutable ? "bundle/" + file.path.dropFirst("/page/".count) : "." + file.path)
            #expect(Data(file.bytes) == (try Data(contentsOf: folder.appending(path: name))), "\(file.path)")
        }
        let page = String(decoding: try #require(WebPage.file(at: "/")).bytes, as: UTF8.self)
        let immutable = WebPage.files.filter(\.isImmutable)
        let worker = String(decoding: try #require(WebPage.file(at: "/worker.js")).bytes, as: UTF8.self)
        #expect(immutable.allSatisfy { worker.contains("\"\($0.path)\"") })
        // The page loads all scripts at once except those that few visits need.
        let later = immutable.filter { !page.contains("\"\($0.path)\"") }
        #expect(
            Set(later.map { $0.path.replacing(/-[0-9A-Z]{8}\./, with: ".") }) == [
                "/page/badge.js", "/page/camera.js", "/page/coastlines.js", "/page/contact-changes.js",
                "/page/contact-form.js", "/page/day.js", "/page/duplicates.js", "/page/offline-search.js",
                "/page/palette.js", "/page/settings.js",
            ])
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
