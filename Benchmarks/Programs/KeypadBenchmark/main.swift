// Measures keystrokes of text entry with nine keys and lookup times.
// Scripts/bench keypad runs it and computes the lower bound of a fixed order. The output is tab-separated.
//
//     swift run -c release keypad-benchmark lists FOLDER     words and their frequencies, a file for each language
//     swift run -c release keypad-benchmark text FILE        running English text

import Foundation
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let command = arguments.first, let path = arguments.last else {
    print("usage: keypad-benchmark lists FOLDER | text FILE")
    exit(64)
}
switch command {
case "lists": try measureLists(in: path)
case "text": try measureText(in: path)
default: exit(64)
}
