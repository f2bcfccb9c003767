// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "EventBadges",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: ["Reminders"])],
    targets: [
        .executableTarget(
            name: "EventBadges",
            dependencies: [
                .product(name: "SwitchboardBadges", package: "switchboard"),
                .product(name: "SwitchboardProspects", package: "switchboard"),
                .product(name: "SwitchboardReminders", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
