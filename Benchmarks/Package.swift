// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that users of Switchboard do not resolve the benchmark library.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func switchboard(_ modules: String...) -> [Target.Dependency] {
    modules.map { .product(name: $0, package: "switchboard") }
}

/// A suite for `swift package benchmark`; the plugin looks for suites in a folder named Benchmarks, which is this one.
func suite(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + ["Workload", .product(name: "Benchmark", package: "benchmark")],
        path: name, swiftSettings: settings, plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
    name: "switchboard-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "switchboard", path: "..", traits: ["Database"]),
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        // MARK: - Workload: generated people and items, queries and latencies
        .target(
            name: "Workload",
            dependencies: switchboard(
                "SwitchboardTextNormalization", "SwitchboardKeypad", "SwitchboardSearchEngine",
                "SwitchboardIncrementalIndex", "SwitchboardStorage", "SwitchboardContacts", "SwitchboardAirports",
                "SwitchboardSearchableIndex"),
            swiftSettings: settings),
        .executableTarget(
            name: "measure",
            dependencies: switchboard(
                "SwitchboardTextNormalization", "SwitchboardKeypad", "SwitchboardSearchEngine", "SwitchboardStorage",
                "SwitchboardIncrementalIndex", "SwitchboardContacts", "SwitchboardAirports",
                "SwitchboardSearchableIndex")
                + ["Workload"],
            path: "Sources/Measure", swiftSettings: settings),

        // MARK: - Suites
        suite("EngineBenchmarks", uses: switchboard("SwitchboardSearchEngine")),
        suite("ContactBenchmarks", uses: switchboard("SwitchboardContacts", "SwitchboardKeypad", "SwitchboardStorage")),
        suite("AirportBenchmarks", uses: switchboard("SwitchboardAirports", "SwitchboardKeypad")),
        suite("ItemBenchmarks", uses: switchboard("SwitchboardSearchableIndex", "SwitchboardStorage")),
        suite(
            "FoldingBenchmarks",
            uses: switchboard("SwitchboardTextNormalization", "SwitchboardKeypad", "SwitchboardContacts")),
    ],
    cxxLanguageStandard: .cxx17
)
