/// A front end that scenarios are run through: a new one gets all of them by being one of these.
public protocol ScenarioDriver {
    /// Does a step and says what is to be seen.
    ///
    /// - Parameters:
    ///   - step: what to do.
    ///   - isExpected: whether this is what is waited for. A front end that shows things when they are ready looks until it is, or until
    ///     its patience ends; one that answers once need not ask.
    /// - Throws: what keeps the driver from doing the step at all. That the front end refuses it is no error but an observation.
    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation
}

extension Scenario {
    /// Does all steps in order.
    ///
    /// - Returns: a line for each step that was not as expected, such as `2. dialContacts 5646: [] instead of ["Zoë Jogo"]`; none if all were.
    /// - Throws: what the driver throws.
    public func run(with driver: some ScenarioDriver) throws -> [String] {
        var mismatches: [String] = []
        for (index, step) in steps.enumerated() {
            let seen = try driver.perform(step) { step.expect.mismatch(with: $0) == nil }
            if let mismatch = step.expect.mismatch(with: seen) {
                mismatches.append("\(index + 1). \(step.action.rawValue) \(step.text.prefix(40)): \(mismatch)")
            }
        }
        return mismatches
    }
}
