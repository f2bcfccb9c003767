import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardStorage
import SwitchboardWebPage

extension Route {
    /// The paths of health checks, which are served for any host.
    static let probes: Set<String> = ["/healthz", "/readyz"]

    /// Health, metrics and the API description.
    static let operation: [Route] = [
        Route(
            .get, "/healthz", "Check that the process is alive.", access: .open, response: .json("Health"),
            blocks: false
        ) { _, _ in try .json(["status": "ok"]) },
        Route(
            .get, "/readyz", "Check that the databases can be used and the airports are loaded.",
            access: .open, response: .json("Health"), problems: [503]
        ) { _, context in
            let server = context.server
            if let cluster = server.store.cluster {
                guard cluster.isAvailable else { throw Problem.unavailable }
                // Another server may have disk space left.
                guard server.store.hasRoom else { throw Problem.diskFull }
            }
            guard server.isReady, (try? server.accounts.generation()) != nil else {
                throw Problem(
                    status: .serviceUnavailable, code: "notReady", detail: "the server is still starting; try again")
            }
            guard try server.store.isAvailable(server.accounts) else { throw Problem.dataMissing }
            return try .json(["status": "ok"])
        },
        Route(
            .get, "/metrics",
            "Get Prometheus metrics, with the scope metrics, or from this machine if the server has no proxy.",
            access: .metrics,
            response: .file("text/plain")
        ) { _, context in
            let server = context.server
            let text = server.log.metrics.text(
                gauges: [
                    ("switchboard_open_databases", "Open databases.", Double(server.databases.openCount)),
                    ("switchboard_event_streams", "Open event streams.", Double(server.events.streamCount)),
                ], counters: server.store.cluster?.counters ?? [])
            return .bytes(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
        },
        Route(
            .get, "/openapi.json", "Get this API description.", access: .open, response: .json(["type": "object"])
        ) { request, context in
            let description = context.server.description
            return request.response(tagged: description.tag, maxAge: 300) {
                .bytes(description.bytes, type: "application/json")
            }
        },
    ]

    static let page: [Route] = WebPage.files.map { file in
        let tag = EntityTag.of(file.bytes)
        let fields: HTTPFields = [
            .cacheControl: file.cacheControl, .contentSecurityPolicy: WebPage.contentSecurityPolicy,
            .permissionsPolicy: WebPage.permissionsPolicy,
            .crossOriginResourcePolicy: file.isForOtherSites ? "cross-origin" : "same-origin",
        ]
        return Route(
            .get, file.path, "Get a file of the web page.", access: .open,
            response: .file(String(file.contentType.prefix { $0 != ";" }))
        ) { request, _ in
            request.response(tagged: tag, fields: fields) { .bytes(file.bytes, type: file.contentType) }
        }
    }
}

/// Entity tags: the first half of the SHA-256 of the content.
enum EntityTag {
    static func of(_ bytes: [UInt8]) -> String { of(bytes[...], []) }

    /// Returns the tag of content in two parts.
    static func of(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> String {
        var hash = SHA256()
        hash.update(data: first)
        hash.update(data: second)
        var text: [UInt8] = []
        for byte in hash.finalize().prefix(16) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The suffix that distinguishes the tags of compressed responses from uncompressed ones.
    static let gzipSuffix = "-gzip"

    /// Returns whether a list of tags contains a tag, in any encoding.
    static func list(_ list: String, contains tag: String) -> Bool {
        list.split(separator: ",").contains { candidate in
            let bare = bare(candidate.trimmingCharacters(in: .whitespaces))
            return bare == "*" || bare == tag || bare == tag + gzipSuffix
        }
    }

    /// Returns the tag in a header field, without its quotation marks and the weak prefix `W/`.
    static func bare(_ text: String) -> String {
        (text.hasPrefix("W/") ? String(text.dropFirst(2)) : text).trimmingCharacters(
            in: CharacterSet(charactersIn: "\""))
    }
}

extension HTTPField.Name {
    fileprivate static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
    fileprivate static let permissionsPolicy = Self("Permissions-Policy")!
}
