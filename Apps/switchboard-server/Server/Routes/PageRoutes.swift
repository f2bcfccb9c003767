import Crypto
import HTTPTypes
import SwitchboardWebPage

extension Route {
    /// The web page.
    static let page: [Route] = WebPage.files.map { file in
        let tag = StaticTag.of(file.bytes)
        return Route(
            .get, file.path, "A file of the web page.", door: .open,
            answers: .file(String(file.contentType.prefix { $0 != ";" }))
        ) { call in
            // Asked about again each time, so that a new version is whole at once.
            let fields: HTTPFields = [
                .cacheControl: "no-cache", .eTag: "\"\(tag)\"",
                .contentSecurityPolicy: WebPage.contentSecurityPolicy,
                .permissionsPolicy: WebPage.permissionsPolicy,
            ]
            if Answer.isKnown(tag, to: call.fields) { return Answer(.notModified, fields: fields) }
            return .bytes(file.bytes, type: file.contentType, fields: fields)
        }
    }
}

/// What bytes that never change are known by: the first half of their SHA-256.
enum StaticTag {
    static func of(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

extension HTTPField.Name {
    fileprivate static let permissionsPolicy = Self("Permissions-Policy")!
}
