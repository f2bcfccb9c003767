// The measurements that Scripts/bench and the pages run: swift run -c release module-benchmarks NAME [ARGUMENT…]
//
//     badges                   the pictures of badges that are read, and how fast
//     cards FILE [DATABASE]    reading or importing vCards
//     http-baseline [PORT]     the server that measures nothing but its library
//     prospects [COUNT]        lists and searches of prospects
//     text FILE                keystrokes of text entry in running English text
//     words FOLDER             keystrokes and look-ups of words, a file for each language

import Foundation

struct UsageError: Error {}

let arguments = Array(CommandLine.arguments.dropFirst(2))
do {
    switch (CommandLine.arguments.dropFirst().first, arguments.first) {
    case ("badges", nil): try measureBadges()
    case ("cards", _): try measureCards(arguments)
    case ("http-baseline", _): try await serveBaseline(arguments)
    case ("prospects", _): try measureProspects(arguments)
    case ("text", let file?): try measureText(in: file)
    case ("words", let folder?): try measureLists(in: folder)
    default: throw UsageError()
    }
} catch is UsageError {
    print(
        """
        usage: module-benchmarks badges | cards FILE [DATABASE] | http-baseline [PORT] | prospects [COUNT]
               | text FILE | words FOLDER
        """)
    exit(64)
} catch {
    print("module-benchmarks: \(error)")
    exit(1)
}
