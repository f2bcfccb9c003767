import Testing

@testable import Switchboard
