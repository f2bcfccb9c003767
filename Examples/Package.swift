// swift-tools-version: 6.1
import PackageDescription

// A package of its own, as an app that uses Switchboard is one: cd Examples; swift run airport-picker

func example(_ name: String, path: String, uses modules: String...) -> Target {
    .executableTarget(
        name: name, dependencies: modules.map { .product(name: "Switchboard\($0)", package: "switchboard") }, path: path
    )
}

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Storage", targets: ["Storage"]),
        .library(name: "Contacts", targets: ["Contacts"]),
        .library(name: "Reminders", targets: ["Reminders"]),
        .library(name: "People", targets: ["People"]),
    ],
    dependencies: [
        // SwitchboardKit needs the trait Reminders, which enables Database. Elsewhere: .package(url: "…", branch: "main", …)
        .package(name: "switchboard", path: "..", traits: ["Reminders"])
    ],
    targets: [
        // MARK: - The programs of the pages
        example("tv-shows", path: "TVShows", uses: "SearchableIndex", "IncrementalIndex", "Storage"),
        example("contact-search", path: "ContactSearch", uses: "Contacts", "IncrementalIndex", "Keypad", "Storage"),
        example("content-search", path: "ContentSearch", uses: "SearchableIndex", "IncrementalIndex", "Storage"),
        example("airport-picker", path: "AirportPicker", uses: "Airports", "IncrementalIndex", "Keypad", "Storage"),
        example(
            "event-prospects", path: "EventProspects",
            uses: "Prospects", "IncrementalIndex", "Keypad", "Badges", "Reminders", "Storage"),
        example(
            "coming-from-apple", path: "ComingFromApple",
            uses: "SearchableIndex", "Contacts", "IncrementalIndex", "Keypad", "Reminders", "Storage"),

        // MARK: - An app whose targets and types have the names of modules and types in Switchboard
        .target(name: "Storage", path: "Outsider/Storage"),
        .target(name: "Contacts", path: "Outsider/Contacts"),
        .target(name: "Reminders", path: "Outsider/Reminders"),
        .target(name: "People", dependencies: ["Contacts"], path: "Outsider/People"),
        .executableTarget(
            name: "outsider",
            dependencies: [
                "Storage", "Contacts", "Reminders", "People",
                .product(name: "SwitchboardContacts", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
                .product(name: "SwitchboardReminders", package: "switchboard"),
                .product(name: "SwitchboardSearchEngine", package: "switchboard"),
                .product(name: "SwitchboardKit", package: "switchboard"),
            ],
            path: "Outsider/Outsider"),
    ],
    swiftLanguageModes: [.v6]
)
