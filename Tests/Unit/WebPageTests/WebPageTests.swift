import Foundation
import Testing
import SwitchboardWebPage

@Suite("The files of the web page")
struct WebPageTests {
    /// Where the sources of the page are.
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Apps/switchboard-server/CWebPage/page")

    /// What is served where, by the folder.
    private func sources() throws -> [String: Data] {
        var found: [String: Data] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        for name in names where name.contains(".") {
            let place = ["index.html": "/", "manifest.webmanifest": "/manifest.webmanifest"][name] ?? "/page/" + name
            found[place] = try Data(contentsOf: folder.appending(path: name))
        }
        return found
    }

    @Test("Every file of the folder is in the program as it is; Scripts/page-table lists a new one")
    func everyFileIsThere() throws {
        let sources = try sources()
        #expect(Set(WebPage.files.map(\.path)) == Set(sources.keys))
        for file in WebPage.files {
            #expect(Data(file.bytes) == sources[file.path], "\(file.path) is older than its source")
        }
    }

    @Test("Every path is there once, the page itself first")
    func pathsAreUnique() {
        #expect(WebPage.files.first?.path == "/")
        #expect(Set(WebPage.files.map(\.path)).count == WebPage.files.count)
        #expect(WebPage.file(at: "/")?.contentType == "text/html; charset=utf-8")
        #expect(WebPage.file(at: "/page/scripts/main.js")?.contentType == "text/javascript; charset=utf-8")
    }

    @Test(
        "What is not there is not served",
        arguments: ["", "/page", "/page/", "/page/../Package.swift", "/index.html", "//"])
    func unknownPaths(path: String) {
        #expect(WebPage.file(at: path) == nil)
    }

    @Test("Nothing stands inline and nothing comes from elsewhere, as the policy demands")
    func nothingInline() throws {
        let text = String(decoding: try #require(WebPage.file(at: "/")).bytes, as: UTF8.self)
        #expect(!text.contains("<style") && !text.contains("style=") && !text.contains(" on"))
        #expect(!text.contains("//"), "an address of another origin")
        for script in text.components(separatedBy: "<script").dropFirst() {
            #expect(script.hasPrefix(" type=\"module\" src=\"/page/"))
        }
    }

    @Test(
        "No script reads text as markup or as a program",
        arguments: [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser",
        ])
    func noMarkupFromText(forbidden: String) {
        for file in WebPage.files where file.path.hasSuffix(".js") {
            #expect(!String(decoding: file.bytes, as: UTF8.self).contains(forbidden), "\(file.path)")
        }
    }
}
