import Foundation
import GeoClueStandIn
import SwitchboardStorage
import Testing

@testable import SwitchboardAirports

@Suite("Location from GeoClue")
struct GeoClueTests {
    private func locate(_ bus: String, timeout: Duration = .seconds(10)) async -> Result<Coordinate, AirportsError> {
        do {
            return .success(try await LocationSource.geoClue(bus: bus, desktopID: "test", timeout: timeout).locate())
        } catch let error as AirportsError {
            return .failure(error)
        } catch {
            return .failure(.locationUnreachable("another error: \(error)"))
        }
    }

    @Test(
        "a missing bus is reported as an unreachable service",
        arguments: ["unix:path=/nowhere/at/all", "", "nonsense:"])
    func noBus(address: String) async throws {
        let result = await locate(address)
        guard case .failure(let error) = result else { throw Unexpected() }
        #expect(error.category == .unavailable)
        #expect(error.description.contains("no system bus"))
    }

    @Test("a bus without GeoClue is reported as an unreachable service", .enabled(if: BusDaemon.isInstalled))
    func noService() async throws {
        let bus = try BusDaemon()
        let result = await locate(bus.address)
        guard case .failure(let error) = result else { throw Unexpected() }
        #expect(error.category == .unavailable)
        #expect(error.description.contains("no GeoClue"))
    }

    @Test(
        "the request waits for a location, names the program and asks for the accuracy of a city",
        .enabled(if: BusDaemon.isInstalled), arguments: [0, 3])
    func found(polls: UInt32) async throws {
        let bus = try BusDaemon()
        let service = try bus.serve(
            sb_stand_in_behaviour(latitude: 59.9343, longitude: 30.3351, polls_before_found: polls, denies: 0))
        #expect(try await locate(bus.address).get() == Coordinate(latitude: 59.9343, longitude: 30.3351))
        #expect(service.desktopID == "test")
        #expect(service.accuracy == 4)
    }

    @Test("with the grant, the current location is rounded", .enabled(if: BusDaemon.isInstalled))
    func here() async throws {
        let bus = try BusDaemon()
        let service = try bus.serve(
            sb_stand_in_behaviour(latitude: 59.9343, longitude: 30.3351, polls_before_found: 0, denies: 0))
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, location: .geoClue(bus: bus.address))
        await #expect(throws: (any Error).self) { try await airports.currentLocation() }
        #expect(service.desktopID.isEmpty)
        try file.storage.setStatus(.authorized, of: .location)
        let place = try await airports.currentLocation()
        #expect(place == place.rounded)
        #expect(try airports.nearest(to: place).first?.code == "LED")
    }

    @Test(
        "denied access, a timeout and invalid coordinates are reported",
        .enabled(if: BusDaemon.isInstalled))
    func failures() async throws {
        let behaviours: [(sb_stand_in_behaviour, AirportsError)] = [
            (
                .init(latitude: 1, longitude: 1, polls_before_found: 0, denies: 1),
                .locationRefused("Geolocation disabled")
            ),
            (
                .init(latitude: 1, longitude: 1, polls_before_found: .max, denies: 0),
                .locationUnreachable("GeoClue timed out")
            ),
            (
                .init(latitude: 91, longitude: 1, polls_before_found: 0, denies: 0),
                .locationUnreachable("GeoClue returned invalid coordinates: 91.0, 1.0")
            ),
        ]
        for (behaviour, expected) in behaviours {
            let bus = try BusDaemon()
            let service = try bus.serve(behaviour)
            // Only the timeout must elapse.
            let timeout: Duration = behaviour.polls_before_found == .max ? .milliseconds(300) : .seconds(10)
            let result = await locate(bus.address, timeout: timeout)
            guard case .failure(let error) = result else { throw Unexpected() }
            #expect(error == expected)
            withExtendedLifetime(service) {}
        }
    }

    @Test("a hanging bus does not block the request", .enabled(if: BusDaemon.isInstalled))
    func hangingBus() async throws {
        let bus = try BusDaemon()
        bus.pause()
        let result = await locate(bus.address, timeout: .milliseconds(200))
        bus.resume()
        guard case .failure(let error) = result else { throw Unexpected() }
        #expect(error.category == .unavailable)
    }
}

private struct Unexpected: Error {}
