import ArgumentParser
import ContactBook
import Switchboard

struct ContactsGroups: Command {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "The groups that people are in; 'contacts list --group NAME' shows who.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        var groups = try session.switchboard().contacts.groups()
        if session.listLimit > 0 { groups = Array(groups.prefix(session.listLimit)) }
        try session.answer(ResultList(groups)) {
            var table = Table()
            for group in groups {
                table.add([Cell(group.name, .strong), Cell("\(group.count)", isRightAligned: true)])
            }
            table.write(to: session.output, style: session.style)
        }
        return .done
    }
}

struct ContactsPhoto: Command {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "The photograph of somebody: what it is, or with --output the picture itself.")

    @Argument(help: "The identifier.") var id: String
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

    func run(_ session: Session) throws -> ExitStatus {
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
