// How many keys text takes with nine of them, and how long a look-up: the tables of docs/performance.md.
// Scripts/keypad-benchmark wordSuffixes it and computes what no fixed order can go below; the answers are lines of tab-separated values.
//
//     swift run -c release keypad-benchmark lists FOLDER     words and their frequencies, a file for each language
//     swift run -c release keypad-benchmark text FILE        running English text

import Foundation
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let what = arguments.first, let place = arguments.last else {
    print("usage: keypad-benchmark lists FOLDER | text FILE")
    exit(64)
}
switch what {
case "lists": try measureLists(in: place)
case "text": try measureText(in: place)
default: exit(64)
}
