import Foundation
import SwitchboardWebPage
import Testing

@Suite("The files of the web page")
struct WebPageTests {
    /// The folder with the sources of the page.
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Apps/switchboard-server/CWebPage/page")

    /// Returns the source files by their URL paths.
    private func sources() throws -> [String: Data] {
        var found: [String: Data] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        for name in names where name.contains(".") {
            let place = ["index.html": "/", "manifest.webmanifest": "/manifest.webmanifest"][name] ?? "/page/" + name
            found[place] = try Data(contentsOf: folder.appending(path: name))
        }
        return found
    }

    @Test("Every source file is embedded unchanged; Scripts/page-table adds new ones")
    func embeddedFilesMatchSources() throws {
        let sources = try sources()
        #expect(Set(WebPage.files.map(\.path)) == Set(sources.keys))
        for file in WebPage.files {
            #expect(Data(file.bytes) == sources[file.path], "\(file.path) differs from its source")
        }
    }

    @Test("Paths are unique, and the page itself is first")
    func pathsAreUnique() {
        #expect(WebPage.files.first?.path == "/")
        #expect(Set(WebPage.files.map(\.path)).count == WebPage.files.count)
        #expect(WebPage.file(at: "/")?.contentType == "text/html; charset=utf-8")
        #expect(WebPage.file(at: "/page/scripts/main.js")?.contentType == "text/javascript; charset=utf-8")
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
            directives.contains("require-trusted-types-for 'script'") && directives.contains("trusted-types 'none'"))
    }
}
