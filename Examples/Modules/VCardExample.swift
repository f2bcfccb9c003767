import SwitchboardVCard

func vCardFormat() throws {
    let text = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Zoë Jogo\r\nEND:VCARD\r\n"
    var reader = try VCardReader(ByteStream(Array(text.utf8)))
    while let card = try reader.next() {
        print(card.version, card.properties.first { $0.name == "FN" }?.text ?? "(no name)")
    }

    var lines = VCardLines()
    lines.add("NOTE:" + VCardText.escaped("lunch; then home"))
    print(lines.text)
}
