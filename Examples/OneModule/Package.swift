// swift-tools-version: 6.1
import PackageDescription

// A program of its own that takes one module of Switchboard and nothing else: the look-up engine.
let package = Package(
    name: "OneModule",
    dependencies: [
        // In a program elsewhere: .package(url: "…/switchboard", from: "0.1.0"). The name of the package is that of its folder.
        .package(name: "switchboard", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "OneModule",
            dependencies: [.product(name: "SwitchboardSearchEngine", package: "switchboard")])
    ],
    swiftLanguageModes: [.v6]
)
