import ArgumentParser
import SwitchboardContacts
import Foundation
import SwitchboardKit

struct ContactsPhoto: Command {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "The photograph of somebody: what it is; with --output the picture; with a file, another one.",
        discussion: "For example: switchboard contacts photo ID ana.jpeg")

    @Argument(help: "The identifier.") var id: String
    @Argument(help: "The picture that becomes the photograph; - is standard input.") var file: String?
    @Flag(help: "Take the photograph away.") var remove = false
    @Option(parsing: .unconditional, help: ArgumentHelp("Write it there; - is standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
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
            throw ValidationError("give a file, --remove or --output, not several of them")
        }
    }

    func run(_ session: Session) throws -> ExitStatus {
        if remove { return try session.showChange(try session.switchboard().contacts.setPhoto(nil, of: id)) }
        if let file {
            // Whose it is comes first: nobody mends a file for a contact who is not there.
            let contacts = try session.switchboard().contacts
            _ = try contacts.contact(id)
            let bytes = try WholeFile.read(file, limit: ContactPhoto.largestPicture)
            let photo = try ContactPhoto(picture: Data(bytes))
            return try session.showChange(try contacts.setPhoto(photo, of: id))
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
        if let output { try WholeFile.write([UInt8](data), to: output) }
        let answer = Answer(id: id, photo: .init(type: photo.mediaType, size: photo.size), file: output)
        try session.answer(answer) {
            if output == nil { session.output.write("\(photo.mediaType), \(photo.size) bytes\n") }
        }
        return .done
    }
}
