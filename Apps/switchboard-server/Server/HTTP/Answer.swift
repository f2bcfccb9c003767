import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import SwitchboardKit

/// What a route answers, before it becomes bytes on a connection.
struct Answer: Sendable {
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Written as it comes, until it ends or the other side goes away.
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

    /// A document in JSON.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) throws -> Answer {
        var answer = Answer(status, fields: fields, body: .bytes(ByteBuffer(bytes: try OrderedJSON.bytes(value))))
        answer.fields[.contentType] = "application/json"
        return answer
    }

    /// Something that is there now, and where.
    static func created(_ value: some Encodable, at path: String) throws -> Answer {
        try json(value, status: .created, fields: [.location: path])
    }

    /// Bytes of a type.
    static func bytes(_ bytes: [UInt8], type: String, fields: HTTPFields = [:]) -> Answer {
        var answer = Answer(.ok, fields: fields, body: .bytes(ByteBuffer(bytes: bytes)))
        answer.fields[.contentType] = type
        return answer
    }

    static let noContent = Answer(.noContent)

    static func problem(_ problem: Problem) -> Answer {
        var answer = Answer(problem.status, fields: problem.fields, body: .bytes(ByteBuffer(bytes: problem.bytes)))
        answer.fields[.contentType] = Problem.contentType
        return answer
    }

    /// How many bytes the body has, where that is known.
    var byteCount: Int {
        if case .bytes(let buffer) = body { buffer.readableBytes } else { 0 }
    }
}

// MARK: - Conditional requests

extension Answer {
    /// Gives the answer a tag by which a client can ask whether it is still the same.
    func tagged(_ tag: String, maxAge seconds: Int? = nil) -> Answer {
        var answer = self
        answer.fields[.eTag] = "\"\(tag)\""
        if let seconds { answer.fields[.cacheControl] = "public, max-age=\(seconds)" }
        return answer
    }

    /// Whether the client of a request has the document of a tag already (RFC 9110, section 13.1.2).
    static func isKnown(_ tag: String, to fields: HTTPFields) -> Bool {
        guard let known = fields[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { candidate in
            let text = candidate.drop(while: \.isWhitespace)
            let bare = text.hasPrefix("W/") ? text.dropFirst(2) : text
            return bare.hasPrefix("*") || bare.hasPrefix("\"\(tag)\"")
        }
    }

    /// The answer to a request whose client has the document already.
    static func notModified(_ tag: String, maxAge seconds: Int? = nil) -> Answer {
        Answer(.notModified).tagged(tag, maxAge: seconds)
    }
}
