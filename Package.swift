// swift-tools-version: 6.1
import PackageDescription

// MARK: - Settings shared by every Swift target

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A module under `Modules/`: one folder, one library product, one test target.
func module(_ name: String, uses dependencies: [Target.Dependency] = [], excluding: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Modules/\(name)", exclude: excluding, swiftSettings: settings)
}

func tests(
    _ name: String, uses dependencies: [Target.Dependency], excluding: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: excluding, resources: resources,
        swiftSettings: settings)
}

/// A program under `Examples/`, which the documentation walks through and the tests run.
func example(_ name: String, _ folder: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Examples/\(folder)", swiftSettings: settings)
}

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "switchboard",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TextFolding", targets: ["TextFolding"]),
        .library(name: "LookupEngine", targets: ["LookupEngine"]),
        .library(name: "KeypadInput", targets: ["KeypadInput"]),
        .library(name: "KeypadWords", targets: ["KeypadWords"]),
        .library(name: "KeypadLearning", targets: ["KeypadLearning"]),
        .library(name: "VCardFormat", targets: ["VCardFormat"]),
        .library(name: "Storage", targets: ["Storage"]),
        .library(name: "RecordLookup", targets: ["RecordLookup"]),
        .library(name: "ContactBook", targets: ["ContactBook"]),
        .library(name: "Prospects", targets: ["Prospects"]),
        .library(name: "Badges", targets: ["Badges"]),
        .library(name: "Reminders", targets: ["Reminders"]),
        .library(name: "Airports", targets: ["Airports"]),
        .library(name: "SearchableIndex", targets: ["SearchableIndex"]),
        .library(name: "WebMarkup", targets: ["WebMarkup"]),
        .library(name: "WebFetch", targets: ["WebFetch"]),
        .library(name: "WebPage", targets: ["WebPage"]),
        .library(name: "Switchboard", targets: ["Switchboard"]),
        .library(name: "SwitchboardTesting", targets: ["SwitchboardTesting"]),
        .library(name: "TerminalText", targets: ["TerminalText"]),
        .library(name: "People", targets: ["People"]),
        .executable(name: "switchboard", targets: ["switchboard-cli"]),
        .executable(name: "switchboard-tui", targets: ["switchboard-tui"]),
        .executable(name: "switchboard-server", targets: ["switchboard-server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // The server alone uses these: a product that needs none of them compiles none of them.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // MARK: - Pure modules: no file, no clock, no database
        module("TextFolding"),
        module("LookupEngine"),
        module("KeypadInput", uses: ["TextFolding"]),
        .target(name: "CWordLists", path: "Modules/CWordLists", exclude: ["data"]),
        module("KeypadWords", uses: ["KeypadInput", "CWordLists"]),
        module("VCardFormat"),
        // Headers of libxml2 stand in a folder of their own; "system" leads there. The library is loaded when it is used.
        .target(
            name: "CLibXML2", path: "Modules/CLibXML2", exclude: ["system"],
            cSettings: [.headerSearchPath("system")]),
        module("WebMarkup", uses: ["CLibXML2"]),

        // MARK: - The network
        .target(name: "CCurl", path: "Modules/CCurl"),
        module("WebFetch", uses: ["CCurl"]),

        // MARK: - The storage layer
        module("Storage", uses: [grdb, sqlite]),

        // MARK: - What was typed with nine keys
        module("KeypadLearning", uses: ["KeypadInput", "Storage", grdb]),

        // MARK: - What domains share to look their records up
        module("RecordLookup", uses: ["Storage", "LookupEngine", "KeypadInput", "TextFolding", grdb]),

        // MARK: - Domains: each stands alone
        .target(
            name: "CPhoneNumber", path: "Modules/CPhoneNumber"),
        .target(name: "CRename", path: "Modules/CRename"),
        module(
            "ContactBook",
            uses: [
                "Storage", "RecordLookup", "LookupEngine", "KeypadInput", "TextFolding", "VCardFormat", "CPhoneNumber",
                "CRename", grdb, sqlite,
            ]),
        module(
            "Prospects",
            uses: [
                "Storage", "RecordLookup", "LookupEngine", "KeypadInput", "TextFolding", "VCardFormat", "CPhoneNumber",
                grdb,
            ]),
        .target(name: "CQREncode", path: "Modules/CQREncode"),
        .target(name: "CPicture", path: "Modules/CPicture"),
        .target(name: "CZBar", path: "Modules/CZBar"),
        .target(name: "CZXing", path: "Modules/CZXing"),
        module("Badges", uses: ["VCardFormat", "CQREncode", "CPicture", "CZBar", "CZXing"]),
        module("Reminders", uses: ["Storage", "VCardFormat", subprocess, system, grdb]),
        .target(name: "CAirportCatalogue", path: "Modules/CAirportCatalogue", exclude: ["data"]),
        .systemLibrary(
            name: "CZlib", path: "Modules/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CGeoClue", path: "Modules/CGeoClue"),
        module(
            "Airports",
            uses: [
                "Storage", "LookupEngine", "KeypadInput", "TextFolding", "CAirportCatalogue", "CZlib", "CGeoClue", grdb,
            ]),
        module("SearchableIndex", uses: ["Storage", "RecordLookup", "LookupEngine", "TextFolding", grdb]),

        // MARK: - The composition
        module(
            "Switchboard",
            uses: [
                "Storage", "ContactBook", "Prospects", "Badges", "Reminders", "Airports", "SearchableIndex",
                "WebMarkup", "WebFetch", "LookupEngine", "KeypadInput", "KeypadWords", "KeypadLearning", "TextFolding",
                "VCardFormat",
            ]),

        module(
            "SwitchboardTesting",
            uses: [
                "Switchboard", "Storage", "ContactBook", "Prospects", "Badges", "Reminders", "Airports",
                "SearchableIndex",
            ]),

        // MARK: - For a server: who may do what
        module("People", uses: ["Storage", crypto, grdb]),

        // MARK: - Front ends
        module("TerminalText"),
        .target(name: "CWebPage", path: "Apps/switchboard-page", exclude: ["page", "WebPage"]),
        .target(
            name: "WebPage", dependencies: ["CWebPage"], path: "Apps/switchboard-page/WebPage", swiftSettings: settings),
        .executableTarget(
            name: "switchboard-cli",
            dependencies: [
                "Switchboard", "TerminalText", "Storage", "ContactBook", "Prospects", "Badges", "Reminders", "Airports",
                "SearchableIndex", "WebMarkup", "WebFetch", "KeypadInput", "KeypadWords", "KeypadLearning",
                "LookupEngine", argumentParser,
            ],
            path: "Apps/switchboard", exclude: ["Samples"], swiftSettings: settings),

        .target(
            name: "CNcurses", path: "Modules/CNcurses",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        // What the terminal interface is and shows, without a terminal.
        .target(
            name: "TerminalInterface",
            dependencies: [
                "Switchboard", "TerminalText", "Storage", "ContactBook", "Prospects", "Badges", "Reminders", "Airports",
                "SearchableIndex", "KeypadInput", "LookupEngine",
            ],
            path: "Apps/switchboard-tui/State", swiftSettings: settings),
        .executableTarget(
            name: "switchboard-tui",
            dependencies: [
                "TerminalInterface", "CNcurses", "Switchboard", "TerminalText", "Storage", "Prospects", "Badges",
                "Reminders", "Airports", "SearchableIndex", "LookupEngine", "KeypadInput", argumentParser,
            ],
            path: "Apps/switchboard-tui/Program", swiftSettings: settings),
        .executableTarget(
            name: "switchboard-server",
            dependencies: [
                "Switchboard", "People", "Storage", "ContactBook", "Prospects", "Badges", "Reminders", "Airports",
                "SearchableIndex", "KeypadInput", "LookupEngine", "WebPage", "CZlib", argumentParser, crypto, system,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Apps/switchboard-server", exclude: ["systemd"], swiftSettings: settings),

        // MARK: - Examples of the documentation
        example("tv-shows", "TVShows", uses: ["SearchableIndex", "Storage"]),
        example("contact-search", "ContactSearch", uses: ["ContactBook", "KeypadInput", "Storage"]),
        example("content-search", "ContentSearch", uses: ["SearchableIndex", "Storage"]),
        example("airport-picker", "AirportPicker", uses: ["Airports", "Storage"]),
        example("event-prospects", "EventProspects", uses: ["Prospects", "Badges", "Reminders", "Storage"]),
        example(
            "module-examples", "Modules",
            uses: [
                "TextFolding", "LookupEngine", "KeypadInput", "KeypadWords", "KeypadLearning", "VCardFormat",
                "TerminalText", "Storage", "RecordLookup", "ContactBook", "Prospects", "Badges", "Reminders",
                "Airports", "SearchableIndex", "WebMarkup", "WebFetch", "People", "Switchboard", "SwitchboardTesting",
                grdb,
            ]),

        // MARK: - Tests
        tests("TextFoldingTests", uses: ["TextFolding"]),
        tests("LookupEngineTests", uses: ["LookupEngine"]),
        tests("KeypadInputTests", uses: ["KeypadInput", "KeypadWords", "TextFolding"]),
        .executableTarget(
            name: "keypad-figures", dependencies: ["KeypadInput", "KeypadWords", "KeypadLearning", "Storage"],
            path: "Tests/KeypadFigures", swiftSettings: settings),
        tests("KeypadLearningTests", uses: ["KeypadLearning", "KeypadInput", "KeypadWords", "Storage"]),
        tests("StorageTests", uses: ["Storage", grdb]),
        tests(
            "ContactBookTests",
            uses: ["ContactBook", "RecordLookup", "LookupEngine", "KeypadInput", "Storage", "VCardFormat", grdb],
            resources: [.copy("Samples")]),
        .executableTarget(
            name: "card-figures", dependencies: ["ContactBook", "Storage", "VCardFormat"], path: "Tests/CardFigures",
            swiftSettings: settings),
        .target(name: "BadgePictures", dependencies: ["Badges"], path: "Tests/BadgePictures", swiftSettings: settings),
        .executableTarget(
            name: "badge-figures", dependencies: ["Badges", "BadgePictures"], path: "Tests/BadgeFigures",
            swiftSettings: settings),
        .executableTarget(
            name: "prospect-figures", dependencies: ["Prospects", "Storage"], path: "Tests/ProspectFigures",
            swiftSettings: settings),
        tests("BadgesTests", uses: ["Badges", "BadgePictures"], resources: [.copy("Resources")]),
        tests(
            "RemindersTests", uses: ["Reminders", "Storage"]),
        tests(
            "ProspectsTests",
            uses: ["Prospects", "RecordLookup", "Storage", "LookupEngine", "KeypadInput", "VCardFormat"]),
        .target(
            name: "GeoClueStandIn", path: "Tests/GeoClueStandIn", linkerSettings: [.linkedLibrary("systemd")]),
        tests(
            "AirportsTests", uses: ["Airports", "LookupEngine", "KeypadInput", "Storage", "GeoClueStandIn"],
            resources: [.copy("Resources")]),
        tests("SearchableIndexTests", uses: ["SearchableIndex", "RecordLookup", "Storage", "LookupEngine", grdb]),
        .target(name: "LocalServer", path: "Tests/LocalServer", swiftSettings: settings),
        tests("WebMarkupTests", uses: ["WebMarkup"]),
        tests("WebFetchTests", uses: ["WebFetch"], resources: [.copy("Resources")]),
        tests(
            "SwitchboardTests",
            uses: [
                "Switchboard", "SwitchboardTesting", "Storage", "ContactBook", "Prospects", "Reminders", "Airports",
                "SearchableIndex", "Badges", "LookupEngine", "KeypadInput", "KeypadLearning", "VCardFormat",
                "LocalServer", grdb,
            ]),
        tests("TerminalTextTests", uses: ["TerminalText"]),
        tests(
            "TerminalInterfaceTests",
            uses: [
                "TerminalInterface", "Switchboard", "ContactBook", "Prospects", "Badges", "Reminders", "Storage",
                "Airports", "KeypadInput",
            ]),
        tests("WebPageTests", uses: ["WebPage"]),
        .executableTarget(
            name: "http-hello",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/ServerFigures", swiftSettings: settings),
        tests(
            "Integration",
            uses: [
                "switchboard-cli", "switchboard-tui", "switchboard-server", "SwitchboardTesting", "Badges",
                "LocalServer", "LiveServer", "ContactBook", "KeypadInput", "tv-shows", "contact-search",
                "content-search", "airport-picker", "event-prospects", "module-examples",
            ],
            excluding: ["Terminal/Screens", "Scenarios/Data"]),
        tests("PeopleTests", uses: ["People", "Storage", grdb]),
        .target(name: "LiveServer", path: "Tests/LiveServer", swiftSettings: settings),
        tests("ServerTests", uses: ["switchboard-server", "switchboard-cli", "LiveServer"]),
    ],
    cxxLanguageStandard: .cxx17
)

// The sanitizers look at the engine and the stores: without this they would build server and all once more.
if let tests = Context.environment["SWITCHBOARD_ONLY"] {
    var wanted = tests.split(separator: ",").map(String.init)
    var kept: Set<String> = []
    while let name = wanted.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let name, _) in target.dependencies { wanted.append(name) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll()
}
