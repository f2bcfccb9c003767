import SwitchboardTerminalText

func terminalText() {
    print(TerminalText.width(of: "김민준"))  // 6: each character takes two columns
    print(TerminalText.sanitized("red \u{1B}[31m?"))  // red ␛[31m?
}
