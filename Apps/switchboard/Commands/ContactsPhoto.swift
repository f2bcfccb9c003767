import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKit

struct ContactsPhoto: Command {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Describe the photo of a contact, write it with --output, or replace it with a file.",
        discussion: "For example: switchboard contacts photo ID ana.jpeg")

    @Argument(help: "The identifier.") var id: String
    @Argument(help: "The new photo, or - for standard input.") var file: String?
    @Flag(help: "Remove the photo.") var remove = false
    @Option("Write the photo to a file, or - for standard output.", "file")
    var output: String?
    @OptionGroup var global: GlobalOptions

    private struct Response: Encodable {
        struct Photo: Encodable {
            let type: String
            let size: Int
        }
        let id: String
        let photo: Photo
        let file: String?
    }

    func validate() throws {
        if [file != nil, remove, output != nil].filter({ $0 }).count > 1 {
            throw ValidationError("give only one of a file, --remove and --output")
        }
    }

    func run(_ session: Session) throws -> ExitStatus {
        if remove { return try session.respondAndCompact(try session.switchboard().contacts.setPhoto(nil, of: id)) }
        if let file {
            // An unknown contact is reported before a missing file.
            let contacts = try session.switchboard().contacts
            _ = try contacts.contact(id)
            let bytes = try FileIO.read(file, limit: ContactPhoto.largestPicture)
            let photo = try ContactPhoto(picture: Data(bytes))
            return try session.respondAndCompact(try contacts.setPhoto(photo, of: id))
        }
        return try show(session)
    }

    private func show(_ session: Session) throws -> ExitStatus {
        guard let photo = try session.switchboard().contacts.photo(of: id), let data = photo.data else {
            throw ContactBookError.noPhoto(id: id)
        }
        if output == "-" {
            session.output.write([UInt8](data))
            return .done
        }
        if let output { try FileIO.write([UInt8](data), to: output) }
        let response = Response(id: id, photo: .init(type: photo.mediaType, size: photo.size), file: output)
        return try session.respond(response) {
            if output == nil { session.output.write("\(photo.mediaType), \(photo.size) bytes\n") }
        }
    }
}
