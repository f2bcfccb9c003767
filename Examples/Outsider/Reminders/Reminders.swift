package struct Reminders: Sendable {
    package private(set) var titles: [String] = []

    package init() {}

    package mutating func add(_ title: String) {
        titles.append(title)
    }
}
