// swift-tools-version: 6.1
import PackageDescription

// A package that depends on a single product of Switchboard, the search engine.
let package = Package(
    name: "OneModule",
    dependencies: [
        // Elsewhere: .package(url: "…/switchboard", from: "0.1.0")
        .package(name: "switchboard", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "OneModule",
            dependencies: [.product(name: "SwitchboardSearchEngine", package: "switchboard")])
    ],
    swiftLanguageModes: [.v6]
)
