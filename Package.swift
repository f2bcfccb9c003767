// swift-tools-version: 6.2
import PackageDescription

// The sections follow the folders under Modules, from the lowest layer to the front ends. Scripts/check/architecture
// compares the imports with the folders.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The settings of targets whose unsafe code is marked; docs/memory-safety.md lists it.
let strictSettings = settings + [.strictMemorySafety()]

/// Tests are not optimized, even in a release build, unless they are fuzzed: compiling them would take longer than they
/// run.
let testSettings =
    Context.environment["SWITCHBOARD_ONLY"] == nil
    ? settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))] : settings

// MARK: - Helpers

/// A Swift target named `Switchboard` followed by the name of its folder.
func module(
    _ folder: String, uses dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    let name = String(folder.split(separator: "/").last ?? "")
    return .target(
        name: name.hasPrefix("Switchboard") ? name : "Switchboard\(name)", dependencies: dependencies,
        path: "Modules/\(folder)", resources: resources, swiftSettings: strictSettings)
}

/// A C target named `CSwitchboard` followed by the name of its folder without the leading C.
func cModule(_ path: String, excluding: [String] = [], cSettings: [CSetting] = []) -> Target {
    let folder = String(path.split(separator: "/").last ?? "")
    return .target(
        name: "CSwitchboard\(folder.dropFirst())", path: path, exclude: excluding, cSettings: cSettings)
}

func unitTests(_ name: String, uses dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Unit/\(name)", resources: resources,
        swiftSettings: testSettings)
}

func executable(
    _ name: String, path: String, uses dependencies: [Target.Dependency], excluding: [String] = [],
    resources: [Resource] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: excluding, resources: resources,
        swiftSettings: strictSettings)
}

/// A product with the module of its name. An app that uses it links the given C++ libraries of ours, so that it need not
/// install them beside its program as ours do.
func library(_ name: String, linking libraries: [String] = []) -> Product {
    .library(name: name, targets: [name] + libraries)
}

/// A shared library of ours that is written in C++ and that our programs load at first use.
func cxxLibrary(_ folder: String, for header: String, linking library: String) -> Target {
    .target(
        name: "Switchboard\(folder)", path: "Modules/System/\(folder)",
        cxxSettings: [.headerSearchPath("../\(header)/include")], linkerSettings: [.linkedLibrary(library)])
}

/// A product of another package that only the modules and programs of some traits need.
func product(_ name: String, _ package: String, for traits: Set<String>) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: traits))
}

let grdb = product("GRDB", "GRDB.swift", for: ["Database"])
let sqlite = product("GRDBSQLite", "GRDB.swift", for: ["Database"])
let subprocess = product("Subprocess", "swift-subprocess", for: ["Reminders"])
let system = product("SystemPackage", "swift-system", for: ["Reminders"])
let argumentParser = product(
    "ArgumentParser", "swift-argument-parser", for: ["CommandLine", "Terminal", "Server", "Desktop"])
let crypto = product("Crypto", "swift-crypto", for: ["Server"])
let hummingbird = product("Hummingbird", "hummingbird", for: ["Server"])
let logging = product("Logging", "swift-log", for: ["Server"])

let package = Package(
    name: "switchboard",
    // Only Linux is built and tested. The engine needs InlineArray, so nothing older than macOS 26 could work.
    platforms: [.macOS(.v26)],
    products: [
        library("SwitchboardErrors"),
        library("SwitchboardTextNormalization"),
        library("SwitchboardJSON"),
        library("SwitchboardVCard"),
        library("SwitchboardTerminalText"),
        library("SwitchboardStorage"),
        library("SwitchboardSearchEngine"),
        library("SwitchboardIncrementalIndex"),
        library("SwitchboardPeopleSearch"),
        library("SwitchboardKeypad"),
        library("SwitchboardKeypadWords"),
        library("SwitchboardKeypadLearning"),
        library("SwitchboardSearchChoices"),
        library("SwitchboardContacts", linking: ["SwitchboardPhoneNumberLibrary"]),
        library("SwitchboardContactSync", linking: ["SwitchboardPhoneNumberLibrary"]),
        library("SwitchboardProspects", linking: ["SwitchboardPhoneNumberLibrary"]),
        library("SwitchboardBadges", linking: ["SwitchboardZXingLibrary"]),
        library("SwitchboardReminders"),
        library("SwitchboardAirports"),
        library("SwitchboardSearchableIndex"),
        library("SwitchboardWebMarkup"),
        library("SwitchboardWebFetch"),
        library("SwitchboardDAV"),
        library("SwitchboardKit", linking: ["SwitchboardPhoneNumberLibrary", "SwitchboardZXingLibrary"]),
        library("SwitchboardTesting"),
        .library(name: "SwitchboardPhoneNumberLibrary", type: .dynamic, targets: ["SwitchboardPhoneNumberLibrary"]),
        .library(name: "SwitchboardZXingLibrary", type: .dynamic, targets: ["SwitchboardZXingLibrary"]),
        .executable(name: "switchboard", targets: ["switchboard-cli"]),
        .executable(name: "switchboard-tui", targets: ["switchboard-tui"]),
        .executable(name: "switchboard-server", targets: ["switchboard-server"]),
        .executable(name: "switchboard-desktop", targets: ["switchboard-desktop"]),
    ],
    // Packages are fetched for the enabled traits only. A build of this repository enables all; an app that takes a
    // library names the one it needs, as docs/products.md shows.
    traits: [
        .trait(name: "Database", description: "Libraries that store something: GRDB"),
        .trait(
            name: "Reminders", description: "Reminders and SwitchboardKit: also swift-subprocess and swift-system",
            enabledTraits: ["Database"]),
        .trait(
            name: "CommandLine", description: "The program switchboard: also swift-argument-parser",
            enabledTraits: ["Reminders"]),
        .trait(
            name: "Terminal", description: "The program switchboard-tui: also swift-argument-parser",
            enabledTraits: ["Reminders"]),
        .trait(
            name: "Server", description: "The program switchboard-server: also Hummingbird, swift-nio and others",
            enabledTraits: ["Reminders"]),
        .trait(
            name: "Desktop", description: "The program switchboard-desktop: also swift-argument-parser",
            enabledTraits: ["Reminders"]),
        .default(enabledTraits: ["CommandLine", "Terminal", "Server", "Desktop"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // Only the server uses these.
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
        // MARK: - System: C libraries, each behind a small C interface
        // Reading pictures, and codes in them, and writing codes; and the process that reads what others made.
        cModule("Modules/System/CCodes", cSettings: [.headerSearchPath("../ZXingLibrary/include")]),
        cxxLibrary("ZXingLibrary", for: "CCodes", linking: "ZXing"),
        cModule("Modules/System/CCurl"),
        cModule("Modules/System/CDBus"),
        module("System/DBus", uses: ["CSwitchboardDBus"]),
        // The folder "system" leads to the headers of libxml2. The library is loaded at first use.
        cModule("Modules/System/CLibXML2", excluding: ["system"], cSettings: [.headerSearchPath("system")]),
        cModule("Modules/System/CPhoneNumber", cSettings: [.headerSearchPath("../PhoneNumberLibrary/include")]),
        cxxLibrary("PhoneNumberLibrary", for: "CPhoneNumber", linking: "phonenumber"),
        module("System/PhoneNumbers", uses: ["CSwitchboardPhoneNumber"]),
        // The folder "system" leads to the headers of libpq.
        cModule("Modules/System/CPostgres", excluding: ["system"], cSettings: [.headerSearchPath("system")]),
        cModule("Modules/System/CSession"),
        cModule("Modules/System/CSystem"),
        .systemLibrary(
            name: "CSwitchboardZlib", path: "Modules/System/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),

        // MARK: - Core: pure functions and values
        module("Core/Errors"),
        module("Core/Algorithms"),
        cModule("Modules/Core/CTextTables", excluding: ["data"]),
        module("Core/TextNormalization", uses: ["CSwitchboardTextTables"]),
        module("Core/JSON", uses: ["SwitchboardErrors"]),
        module("Core/VCard", uses: ["SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardJSON"]),
        module("Core/TerminalText"),

        // MARK: - Storage: one SQLite file
        module("Storage", uses: ["SwitchboardErrors", "SwitchboardAlgorithms", "CSwitchboardSession", grdb, sqlite]),

        // MARK: - Cluster: journals and tables in PostgreSQL, shared by several servers
        module("Cluster", uses: ["SwitchboardStorage", "CSwitchboardPostgres", grdb]),

        // MARK: - Search: the engine, the incremental index, the keypad
        module(
            "Search/SearchEngine",
            uses: ["CSwitchboardSystem", "SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardTextNormalization"]),
        module("Search/Keypad", uses: ["SwitchboardErrors", "SwitchboardTextNormalization"]),
        cModule("Modules/Search/CWordLists", excluding: ["data"]),
        module("Search/KeypadWords", uses: ["SwitchboardKeypad", "CSwitchboardWordLists"]),
        module(
            "Search/IncrementalIndex",
            uses: [
                "SwitchboardAlgorithms", "SwitchboardStorage", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardTextNormalization", grdb,
            ]),

        module(
            "Search/PeopleSearch",
            uses: [
                "SwitchboardStorage", "SwitchboardIncrementalIndex", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardTextNormalization", grdb,
            ]),

        // MARK: - Domains: none imports another
        module("Domains/KeypadLearning", uses: ["SwitchboardErrors", "SwitchboardKeypad", "SwitchboardStorage", grdb]),
        module("Domains/SearchChoices", uses: ["SwitchboardAlgorithms", "SwitchboardStorage", grdb]),
        module(
            "Domains/Contacts",
            uses: [
                "SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardJSON", "SwitchboardStorage",
                "SwitchboardIncrementalIndex", "SwitchboardPeopleSearch", "SwitchboardSearchEngine",
                "SwitchboardKeypad", "SwitchboardTextNormalization",
                "SwitchboardVCard", "SwitchboardPhoneNumbers", grdb, sqlite,
            ]),
        // The one domain that imports another: sync extends contacts.
        module(
            "Domains/ContactSync",
            uses: [
                "SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardContacts", "SwitchboardStorage",
                "SwitchboardIncrementalIndex", "SwitchboardVCard", "SwitchboardDBus", "CSwitchboardSystem", grdb,
            ]),
        module(
            "Domains/Prospects",
            uses: [
                "SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardJSON", "SwitchboardStorage",
                "SwitchboardIncrementalIndex", "SwitchboardPeopleSearch", "SwitchboardSearchEngine",
                "SwitchboardTextNormalization",
                "SwitchboardVCard", "SwitchboardPhoneNumbers", grdb,
            ]),
        module(
            "Domains/Badges",
            uses: [
                "SwitchboardErrors", "SwitchboardVCard", "CSwitchboardCodes",
            ]),
        module(
            "Domains/Reminders",
            uses: [
                "SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardStorage", "SwitchboardVCard", subprocess,
                system,
                grdb,
            ]),
        cModule("Modules/Domains/CAirportCatalogue", excluding: ["data"]),
        module(
            "Domains/Airports",
            uses: [
                "SwitchboardErrors", "SwitchboardJSON",
                "SwitchboardStorage", "SwitchboardIncrementalIndex", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardTextNormalization", "SwitchboardAlgorithms", "CSwitchboardAirportCatalogue",
                "CSwitchboardDBus", "CSwitchboardZlib", grdb,
            ]),
        module(
            "Domains/SearchableIndex",
            uses: [
                "SwitchboardErrors", "SwitchboardJSON",
                "SwitchboardStorage", "SwitchboardIncrementalIndex", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardTextNormalization", "SwitchboardAlgorithms", grdb,
            ]),

        // MARK: - Web
        module(
            "Web/WebMarkup",
            uses: ["SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardJSON", "CSwitchboardLibXML2"],
            resources: [
                .embedInCode("data/encodings.txt"), .embedInCode("data/attributes.txt"),
                .embedInCode("data/types.txt"),
            ]),
        module("Web/WebFetch", uses: ["SwitchboardErrors", "CSwitchboardCurl"]),
        module("Web/DAV", uses: ["SwitchboardErrors", "SwitchboardVCard", "CSwitchboardLibXML2"]),

        // MARK: - Switchboard: the composition
        module(
            "Switchboard/SwitchboardKit",
            uses: [
                "SwitchboardErrors", "SwitchboardAlgorithms", "SwitchboardJSON", "SwitchboardStorage",
                "SwitchboardContacts",
                "SwitchboardProspects", "SwitchboardBadges", "SwitchboardReminders", "SwitchboardAirports",
                "SwitchboardSearchableIndex",
                "SwitchboardWebMarkup", "SwitchboardWebFetch", "SwitchboardIncrementalIndex", "SwitchboardPeopleSearch",
                "SwitchboardKeypad", "SwitchboardKeypadWords", "SwitchboardKeypadLearning", "SwitchboardSearchChoices",
                "SwitchboardTextNormalization", "SwitchboardDBus",
            ]),
        module(
            "Switchboard/SwitchboardTesting", uses: ["SwitchboardStorage"],
            resources: [
                .embedInCode("Scenarios/airports.json"), .embedInCode("Scenarios/changes.json"),
                .embedInCode("Scenarios/contacts.json"), .embedInCode("Scenarios/event.json"),
                .embedInCode("Scenarios/items.json"),
            ]),

        // MARK: - Command line
        .executableTarget(
            name: "switchboard-cli",
            dependencies: [
                "SwitchboardAlgorithms", "SwitchboardJSON",
                "SwitchboardKit", "SwitchboardTerminalText", "SwitchboardStorage", "SwitchboardContacts",
                "SwitchboardContactSync", "SwitchboardProspects", "SwitchboardBadges", "SwitchboardReminders",
                "SwitchboardAirports", "SwitchboardSearchableIndex", "SwitchboardWebMarkup", "SwitchboardWebFetch",
                "SwitchboardKeypad",
                "SwitchboardKeypadWords", "SwitchboardKeypadLearning", "SwitchboardSearchChoices",
                "SwitchboardIncrementalIndex", argumentParser,
            ],
            path: "Apps/switchboard", exclude: ["Samples"], swiftSettings: strictSettings),

        // MARK: - Terminal interface
        .target(
            name: "CSwitchboardNcurses", path: "Apps/switchboard-tui/CNcurses",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        cModule("Apps/switchboard-tui/CCoastlines", excluding: ["data"]),
        .target(
            name: "SwitchboardTerminalInterface",
            dependencies: [
                "CSwitchboardCoastlines",
                "SwitchboardKit", "SwitchboardTerminalText", "SwitchboardStorage", "SwitchboardContacts",
                "SwitchboardProspects", "SwitchboardBadges", "SwitchboardReminders", "SwitchboardAirports",
                "SwitchboardSearchableIndex", "SwitchboardKeypad", "SwitchboardIncrementalIndex",
            ],
            path: "Apps/switchboard-tui/Interface", swiftSettings: strictSettings),
        executable(
            "switchboard-tui", path: "Apps/switchboard-tui/Program",
            uses: [
                "SwitchboardTerminalInterface", "CSwitchboardNcurses", "SwitchboardKit", "SwitchboardTerminalText",
                "SwitchboardStorage", "SwitchboardContacts", "SwitchboardProspects", "SwitchboardBadges",
                "SwitchboardReminders", "SwitchboardAirports", "SwitchboardSearchableIndex", "SwitchboardKeypad",
                "SwitchboardJSON", argumentParser,
            ]),

        // MARK: - Server
        .target(
            name: "SwitchboardAccounts",
            dependencies: ["SwitchboardErrors", "SwitchboardJSON", "SwitchboardStorage", crypto],
            path: "Apps/switchboard-server/Accounts", swiftSettings: strictSettings),
        cModule("Apps/switchboard-server/CWebPage", excluding: ["page", "bundle"]),
        .target(
            name: "SwitchboardWebPage", dependencies: ["CSwitchboardWebPage"],
            path: "Apps/switchboard-server/WebPage", swiftSettings: strictSettings),
        executable(
            "switchboard-server", path: "Apps/switchboard-server/Server",
            uses: [
                "SwitchboardJSON",
                "SwitchboardKit", "SwitchboardAccounts", "SwitchboardCluster", "SwitchboardStorage",
                "SwitchboardContacts", "SwitchboardProspects", "SwitchboardBadges", "SwitchboardReminders",
                "SwitchboardAirports", "SwitchboardSearchableIndex", "SwitchboardKeypad",
                "SwitchboardSearchChoices", "SwitchboardIncrementalIndex", "SwitchboardWebFetch", "SwitchboardWebPage",
                "SwitchboardContactSync", "SwitchboardDAV", "SwitchboardVCard",
                "CSwitchboardSystem", argumentParser, crypto, hummingbird, logging,
                product("HummingbirdTLS", "hummingbird", for: ["Server"]),
                product("HummingbirdHTTP2", "hummingbird", for: ["Server"]),
                product("HTTPTypes", "swift-http-types", for: ["Server"]),
                product("NIOCore", "swift-nio", for: ["Server"]),
                product("NIOPosix", "swift-nio", for: ["Server"]),
                product("NIOHTTP1", "swift-nio", for: ["Server"]),
                product("NIOTLS", "swift-nio", for: ["Server"]),
                product("NIOHTTPTypes", "swift-nio-extras", for: ["Server"]),
                product("NIOHTTPTypesHTTP1", "swift-nio-extras", for: ["Server"]),
                product("NIOSSL", "swift-nio-ssl", for: ["Server"]),
                product("Configuration", "swift-configuration", for: ["Server"]),
                product("ServiceLifecycle", "swift-service-lifecycle", for: ["Server"]),
            ], resources: [.embedInCode("OpenAPI/schemas.json")]),

        // MARK: - Desktop
        executable(
            "switchboard-desktop", path: "Apps/switchboard-desktop",
            uses: [
                "SwitchboardAlgorithms", "SwitchboardDBus", "SwitchboardKit", "SwitchboardJSON", "SwitchboardReminders",
                "SwitchboardStorage", "SwitchboardIncrementalIndex",
                "SwitchboardSearchableIndex", argumentParser,
            ], excluding: ["desktop"]),

        // MARK: - Examples that need more than the products; Examples/Package.swift has the others
        executable(
            "desktop-recipes", path: "Examples/DesktopRecipes", uses: ["SwitchboardDBus"], excluding: ["desktop"]),
        // A client needs nothing but Foundation.
        executable("http-client", path: "Examples/HTTPClient", uses: []),
        executable(
            "module-examples", path: "Examples/Modules",
            uses: [
                "SwitchboardErrors", "SwitchboardJSON",
                "SwitchboardTextNormalization", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardKeypadWords", "SwitchboardKeypadLearning", "SwitchboardSearchChoices", "SwitchboardVCard",
                "SwitchboardTerminalText",
                "SwitchboardStorage", "SwitchboardIncrementalIndex", "SwitchboardPeopleSearch", "SwitchboardContacts",
                "SwitchboardContactSync", "SwitchboardProspects", "SwitchboardBadges", "SwitchboardReminders",
                "SwitchboardAirports", "SwitchboardSearchableIndex", "SwitchboardWebMarkup", "SwitchboardWebFetch",
                "SwitchboardAccounts",
                "SwitchboardKit", "SwitchboardTesting", "SwitchboardTerminalInterface", grdb,
            ]),

        // MARK: - Benchmarks that the scripts run; Benchmarks/Package.swift has the others
        executable(
            "module-benchmarks", path: "Benchmarks/Modules",
            uses: [
                "SwitchboardKeypad", "SwitchboardKeypadWords", "SwitchboardKeypadLearning", "SwitchboardStorage",
                "SwitchboardContacts", "SwitchboardVCard", "SwitchboardProspects", "SwitchboardIncrementalIndex",
                "SwitchboardBadges", "SwitchboardTestFixtures", hummingbird, logging,
                product("NIOCore", "swift-nio", for: ["Server"]), product("NIOPosix", "swift-nio", for: ["Server"]),
            ]),

        // MARK: - Support of the tests
        .target(
            name: "SwitchboardTestSupport", dependencies: ["SwitchboardSearchEngine"],
            path: "Tests/Support/TestSupport", swiftSettings: settings),
        .target(
            name: "SwitchboardTestFixtures",
            dependencies: [
                "SwitchboardTestSupport", "SwitchboardStorage", "SwitchboardCluster", "SwitchboardBadges", grdb,
            ],
            path: "Tests/Support/TestFixtures", swiftSettings: settings),
        .target(
            name: "GeoClueStandIn", path: "Tests/Support/GeoClueStandIn",
            linkerSettings: [.linkedLibrary("systemd")]),

        // MARK: - Unit tests
        unitTests(
            "CoreTests",
            uses: [
                "SwitchboardAlgorithms", "SwitchboardTextNormalization", "SwitchboardJSON", "SwitchboardTerminalText",
                "SwitchboardTestSupport",
            ]),
        unitTests(
            "StorageTests",
            uses: [
                "SwitchboardStorage", "SwitchboardCluster", "SwitchboardTestSupport", "SwitchboardTestFixtures", grdb,
            ]),
        unitTests("SearchEngineTests", uses: ["SwitchboardSearchEngine", "SwitchboardTestSupport"]),
        unitTests(
            "KeypadTests",
            uses: [
                "SwitchboardKeypad", "SwitchboardKeypadWords", "SwitchboardKeypadLearning", "SwitchboardStorage",
                "SwitchboardTextNormalization", "SwitchboardTestSupport",
            ]),
        unitTests(
            "ContactsTests",
            uses: [
                "SwitchboardContacts", "SwitchboardIncrementalIndex", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardStorage", "SwitchboardVCard", "SwitchboardJSON", "SwitchboardTextNormalization",
                "SwitchboardTestSupport", grdb,
            ],
            resources: [.copy("Samples")]),
        unitTests(
            "ContactSyncTests",
            uses: [
                "SwitchboardContactSync", "SwitchboardContacts", "SwitchboardStorage", "SwitchboardVCard",
                "SwitchboardTestSupport", grdb,
            ]),
        unitTests(
            "ProspectsTests",
            uses: [
                "SwitchboardProspects", "SwitchboardIncrementalIndex", "SwitchboardStorage", "SwitchboardSearchEngine",
                "SwitchboardKeypad", "SwitchboardVCard",
            ]),
        unitTests(
            "BadgesTests",
            uses: ["SwitchboardBadges", "SwitchboardTestFixtures", "SwitchboardTestSupport", "CSwitchboardCodes"],
            resources: [.copy("Resources")]),
        unitTests(
            "RemindersTests",
            uses: ["SwitchboardReminders", "SwitchboardStorage", "SwitchboardTestSupport", grdb]),
        unitTests(
            "AirportsTests",
            uses: [
                "SwitchboardAirports", "SwitchboardIncrementalIndex", "SwitchboardSearchEngine", "SwitchboardKeypad",
                "SwitchboardStorage", "GeoClueStandIn", "SwitchboardTestSupport",
            ],
            resources: [.copy("Resources")]),
        unitTests(
            "SearchableIndexTests",
            uses: [
                "SwitchboardSearchableIndex", "SwitchboardIncrementalIndex", "SwitchboardStorage",
                "SwitchboardSearchEngine", "SwitchboardKeypad", "SwitchboardTextNormalization",
                "SwitchboardTestSupport", grdb,
            ]),
        unitTests(
            "WebTests",
            uses: [
                "SwitchboardWebMarkup", "SwitchboardWebFetch", "SwitchboardDAV", "SwitchboardVCard",
                "SwitchboardTestSupport",
            ],
            resources: [.copy("Resources")]),
        unitTests(
            "TerminalInterfaceTests",
            uses: [
                "SwitchboardTerminalInterface", "SwitchboardKit", "SwitchboardContacts", "SwitchboardProspects",
                "SwitchboardBadges", "SwitchboardReminders", "SwitchboardStorage", "SwitchboardAirports",
                "SwitchboardKeypad", "SwitchboardTestSupport",
            ]),
        unitTests(
            "AccountsTests",
            uses: [
                "SwitchboardAccounts", "SwitchboardCluster", "SwitchboardStorage", "SwitchboardWebPage",
                "SwitchboardTestFixtures", crypto,
            ]),

        // MARK: - Tests of the composition and of whole programs
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "SwitchboardErrors", "SwitchboardJSON", "SwitchboardAccounts", "SwitchboardWebFetch",
                "SwitchboardWebMarkup",
                "SwitchboardKit", "SwitchboardTesting", "SwitchboardStorage", "SwitchboardContacts",
                "SwitchboardContactSync", "SwitchboardProspects", "SwitchboardReminders", "SwitchboardAirports",
                "SwitchboardSearchableIndex",
                "SwitchboardBadges", "SwitchboardSearchEngine", "SwitchboardIncrementalIndex", "SwitchboardKeypad",
                "SwitchboardKeypadLearning", "SwitchboardSearchChoices", "SwitchboardVCard",
                "SwitchboardTestSupport", "SwitchboardTestFixtures", grdb,
            ],
            path: "Tests/Integration",
            exclude: [
                "Relevance/README.md", "Relevance/people.tsv", "Relevance/queries.tsv", "Relevance/titles.tsv",
            ], swiftSettings: testSettings),
        // The programs are not dependencies of their tests, which start them, so that both compile at the same time. A
        // build of all tests also builds all programs.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "SwitchboardTestSupport", "SwitchboardTestFixtures", "SwitchboardTesting", "SwitchboardBadges",
                "SwitchboardContacts", "SwitchboardIncrementalIndex", "SwitchboardKeypad", "SwitchboardKit",
                "SwitchboardProspects", "SwitchboardReminders", "SwitchboardAirports", "SwitchboardSearchableIndex",
                "SwitchboardStorage", "SwitchboardCluster", "SwitchboardDBus", crypto,
            ],
            path: "Tests/EndToEnd",
            exclude: ["Cluster", "FolderSync", "Page", "Programs/Terminal/Screens"],
            swiftSettings: testSettings),
    ],
    cxxLanguageStandard: .cxx17
)

// The sanitizers check the engine and the stores. Without this they would also build the server.
if let tests = Context.environment["SWITCHBOARD_ONLY"] {
    // The contact tests load the C++ libraries.
    let libraries = ["SwitchboardPhoneNumberLibrary", "SwitchboardZXingLibrary"]
    var wanted = tests.split(separator: ",").map(String.init) + libraries
    var kept: Set<String> = []
    while let name = wanted.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let name, _) in target.dependencies { wanted.append(name) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { !$0.name.hasSuffix("Library") }
}
