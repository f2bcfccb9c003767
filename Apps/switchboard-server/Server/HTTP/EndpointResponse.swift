import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import SwitchboardJSON
import SwitchboardKit

/// The response of a route before it is compressed and written to the connection.
struct EndpointResponse: Sendable {
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Streamed until it ends or the client disconnects.
        case stream(ResponseBody)
    }

    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: Body

    init(_ status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Returns a response with a JSON body.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) throws -> EndpointResponse {
        var response = EndpointResponse(
            status, fields: fields, body: .bytes(ByteBuffer(bytes: try OrderedJSON.bytes(value))))
        response.fields[.contentType] = "application/json"
        return response
    }

    /// Returns a 201 response with the location of the new resource.
    static func created(_ value: some Encodable, at path: String) throws -> EndpointResponse {
        try json(value, status: .created, fields: [.location: path])
    }

    /// Returns a response with a body of the given content type.
    static func bytes(_ bytes: [UInt8], type: String, fields: HTTPFields = [:]) -> EndpointResponse {
        var response = EndpointResponse(.ok, fields: fields, body: .bytes(ByteBuffer(bytes: bytes)))
        response.fields[.contentType] = type
        return response
    }

    static let noContent = EndpointResponse(.noContent)

    static func problem(_ problem: Problem) -> EndpointResponse {
        var response = EndpointResponse(
            problem.status, fields: problem.fields, body: .bytes(ByteBuffer(bytes: problem.bytes)))
        response.fields[.contentType] = Problem.contentType
        return response
    }

    /// The size of the body in bytes; 0 for a stream.
    var byteCount: Int {
        if case .bytes(let buffer) = body { buffer.readableBytes } else { 0 }
    }
}

// MARK: - Conditional requests

extension EndpointResponse {
    /// Returns the response with an `ETag`, and with a public `Cache-Control` if `maxAge` is given.
    func tagged(_ tag: String, maxAge seconds: Int? = nil) -> EndpointResponse {
        var response = self
        response.fields[.eTag] = "\"\(tag)\""
        if let seconds { response.fields[.cacheControl] = "public, max-age=\(seconds)" }
        return response
    }

    /// Returns whether `If-None-Match` contains the tag (RFC 9110, section 13.1.2).
    static func isKnown(_ tag: String, to fields: HTTPFields) -> Bool {
        guard let known = fields[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { candidate in
            let text = candidate.drop(while: \.isWhitespace)
            let bare = text.hasPrefix("W/") ? text.dropFirst(2) : text
            return bare.hasPrefix("*") || bare.hasPrefix("\"\(tag)\"")
        }
    }

    /// Returns a 304 response with the tag.
    static func notModified(_ tag: String, maxAge seconds: Int? = nil) -> EndpointResponse {
        EndpointResponse(.notModified).tagged(tag, maxAge: seconds)
    }
}
