package struct Contact: Sendable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}
