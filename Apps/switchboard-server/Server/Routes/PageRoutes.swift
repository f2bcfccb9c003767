import Crypto
import HTTPTypes
import SwitchboardWebPage

extension Route {
    /// The web page.
    static let page: [Route] = WebPage.files.map { file in
        let tag = EntityTag.of(file.bytes)
        return Route(
            .get, file.path, "Get a file of the web page.", access: .open,
            response: .file(String(file.contentType.prefix { $0 != ";" }))
        ) { context in
            // Always revalidated, so that a page never mixes files of two versions.
            let fields: HTTPFields = [
                .cacheControl: "no-cache", .eTag: "\"\(tag)\"",
                .contentSecurityPolicy: WebPage.contentSecurityPolicy,
                .permissionsPolicy: WebPage.permissionsPolicy,
            ]
            if EndpointResponse.isKnown(tag, to: context.fields) {
                return EndpointResponse(.notModified, fields: fields)
            }
            return .bytes(file.bytes, type: file.contentType, fields: fields)
        }
    }
}

/// The entity tags of fixed content: the first half of its SHA-256.
enum EntityTag {
    static func of(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

extension HTTPField.Name {
    fileprivate static let permissionsPolicy = Self("Permissions-Policy")!
}
