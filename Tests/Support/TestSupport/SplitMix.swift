/// Random numbers that are the same on every machine and in every run (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
///
/// The benchmarks compile this file, too: their corpora depend on its numbers.
public struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator. The same seed yields the same numbers.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
