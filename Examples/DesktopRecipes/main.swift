// A cookbook that the desktop's search finds and opens at the right place, described in docs/desktop-tutorial.md.
// A real program shows in its window what this one prints.

import Foundation
import SwitchboardDBus

let application = "org.example.Recipes"

func say(_ line: String) { FileHandle.standardOutput.write(Data("recipes: \(line)\n".utf8)) }

func json(_ value: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
}

let bus = try DBusConnection()
guard try bus.requestName(application) else {
    say("another process already serves \(application)")
    exit(75)
}

/// Calls a method of the index for this application.
@MainActor func index(_ member: String, _ arguments: DBusValue...) throws {
    try bus.call(
        "org.switchboard.Switchboard", path: "/org/switchboard/Index", interface: "org.switchboard.Index1", member,
        [.string(application)] + arguments, timeout: .seconds(30))
}

do {
    let items = Recipe.all.map { recipe -> [String: Any] in
        ["id": recipe.id, "title": recipe.title, "keywords": recipe.ingredients, "expiresAt": NSNull()]
    }
    try index("Put", .string(json(items)), .dictionary([:]))

    try index("SetOwner", .dictionary(["action": .string("open")]))

    let cooking: [String: Any] = [
        "activityType": application + ".cooking", "title": "Step 2 of the soup", "persistentIdentifier": "cooking",
        "userInfo": ["recipe": "ribollita", "step": 2], "requiredUserInfoKeys": ["recipe", "step"],
    ]
    try index("BeginActivity", .string(json(cooking)))
} catch let error as DBusError {
    // The cookbook works without the desktop's search.
    say(error.text)
}

/// Shows the recipe of an item, or the step at which someone was cooking.
func show(_ activity: [String: DBusValue]) {
    let state = activity["userInfo"]?.members ?? [:]
    let id = activity["identifier"]?.text ?? state["recipe"]?.text
    guard let recipe = Recipe.all.first(where: { $0.id == id }) else { return say("there is no such recipe") }
    var step = 1
    if case .double(let number)? = state["step"] { step = Int(number) }
    say("showing \(recipe.title), step \(step): \(recipe.steps[min(max(step, 1), recipe.steps.count) - 1])")
}

// Ends when it has had no call for a minute, and then the bus starts it again, or when the bus itself ends.
while let message = try? bus.next(waiting: .seconds(60)) {
    guard let call = message.call else { continue }
    switch (message.interface, message.member, message.signature) {
    case ("org.freedesktop.Application", "Activate", "a{sv}"): say("showing all recipes")
    case ("org.freedesktop.Application", "ActivateAction", "sava{sv}"):
        guard message.arguments[0].text == "open", case .array(let parameters, _) = message.arguments[1],
            case .variant(let parameter)? = parameters.first
        else {
            bus.reply(to: call, failing: DBusError(name: DBusConnection.invalidArguments, text: "use the action open"))
            continue
        }
        show(parameter.members ?? [:])
    default:
        let unknown = "org.freedesktop.DBus.Error.UnknownMethod"
        bus.reply(to: call, failing: DBusError(name: unknown, text: "there is no such method"))
        continue
    }
    bus.reply(to: call, [])
}
