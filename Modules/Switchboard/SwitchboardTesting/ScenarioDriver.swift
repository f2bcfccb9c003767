/// An adapter that runs scenarios against a front end.
public protocol ScenarioDriver {
    /// Performs a step and returns the result.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - isExpected: Returns `true` for the expected result. A driver of an asynchronous front end polls until it
    ///     does or until a timeout; others need not call it.
    /// - Throws: An error if the step cannot be performed. An error of the front end is an observation instead.
    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation
}

extension Scenario {
    /// Runs all steps in order.
    ///
    /// - Returns: A line for each mismatch, such as `2. dialContacts 5646: [] instead of ["Zoë Jogo"]`.
    /// - Throws: The errors of the driver.
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
