import Testing

@testable import Airports
