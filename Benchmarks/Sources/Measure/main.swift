import Foundation
import Workload

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
switch arguments.first {
case "prepare": print(try Contacts.prepare(count).joined(separator: "\t"))
case "contacts":
    let report = try Contacts.search(count)
    report.lines.forEach { print($0) }
    print("memory", report.memory.resident, report.memory.proportional, report.memory.anonymous, report.opening)
case "engine":
    let report = try Contacts.engine(count)
    report.lines.forEach { print($0) }
    print("built", report.opening, report.bytes / count)
case "ask":
    try Contacts.ask(ContactQuery.Kind(rawValue: String(arguments.dropFirst(2).first ?? "")) ?? .keypadTypo, count)
case "slow": try Contacts.slow(count)
default: break
}
