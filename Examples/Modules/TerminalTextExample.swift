import SwitchboardTerminalText

func terminalText() {
    print(TerminalText.width(of: "김민준"))  // 6: each of them takes two columns
    print(TerminalText.harmless("red \u{1B}[31m?"))  // nothing that commands the terminal
}
