// swift-tools-version: 6.1
import PackageDescription

// A package that depends on a single product of Switchboard, the search engine.
let package = Package(
    name: "OneModule",
    dependencies: [
        // The engine needs no other package. Elsewhere: .package(url: "…", branch: "main", traits: [])
        .package(name: "switchboard", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "OneModule",
            dependencies: [.product(name: "SwitchboardSearchEngine", package: "switchboard")])
    ],
    swiftLanguageModes: [.v6]
)
