/// An attempt to read codes from a picture after a transformation.
struct ReadingPass: Sendable {
    /// The name of the pass in benchmarks.
    let name: String
    let libraries: [CodeLibrary]
    /// Returns the transformed picture, or nil if the pass cannot help.
    let prepare: @Sendable (GreyPicture) -> GreyPicture?

    /// The passes in the order in which they are tried, most successful first.
    static let all: [ReadingPass] = [
        ReadingPass(name: "as it is", libraries: [.zbar, .zxing], prepare: { $0 }),
        ReadingPass(name: "contrast", libraries: [.zbar, .zxing], prepare: \.stretched),
        ReadingPass(name: "inverted", libraries: [.zbar, .zxing], prepare: { ($0.stretched ?? $0).inverted }),
        ReadingPass(name: "median", libraries: [.zbar, .zxing], prepare: { ($0.stretched ?? $0).medianFiltered }),
        ReadingPass(
            name: "neighbourhood", libraries: [.zbar, .zxing],
            prepare: { ($0.stretched ?? $0).thresholded(radius: max(8, min($0.width, $0.height) / 16)) }),
        ReadingPass(
            name: "small neighbourhood", libraries: [.zbar, .zxing],
            prepare: { ($0.stretched ?? $0).thresholded(radius: max(4, min($0.width, $0.height) / 48)) }),
        ReadingPass(
            name: "median twice, neighbourhood", libraries: [.zbar, .zxing],
            prepare: {
                ($0.stretched ?? $0).medianFiltered.medianFiltered.thresholded(
                    radius: max(8, min($0.width, $0.height) / 16))
            }),
        ReadingPass(name: "half", libraries: [.zbar, .zxing], prepare: { ($0.stretched ?? $0).halved }),
        ReadingPass(
            name: "double", libraries: [.zbar, .zxing],
            prepare: { $0.pixels.count > 1_500_000 ? nil : ($0.stretched ?? $0).doubled }),
        ReadingPass(
            name: "inverted neighbourhood", libraries: [.zbar, .zxing],
            prepare: { ($0.stretched ?? $0).inverted.thresholded(radius: max(8, min($0.width, $0.height) / 16)) }),
        ReadingPass(name: "mirrored", libraries: [.zbar], prepare: { ($0.stretched ?? $0).mirrored }),
    ]
}
