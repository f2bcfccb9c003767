/// An attempt to read codes from a picture after a transformation.
struct ReadingPass: Sendable {
    var libraries = CodeLibrary.allCases
    /// Returns the transformed picture, or nil if the pass cannot help.
    let transform: @Sendable (GreyPicture) -> GreyPicture?

    /// The passes in the order in which they are tried, most successful first.
    static let all = [
        ReadingPass { $0 },
        ReadingPass { $0.stretched },
        ReadingPass { $0.enhanced.inverted },
        ReadingPass { $0.enhanced.medianFiltered },
        ReadingPass { $0.enhanced.thresholded(radius: max(8, $0.shorterSide / 16)) },
        ReadingPass { $0.enhanced.thresholded(radius: max(4, $0.shorterSide / 48)) },
        ReadingPass { $0.enhanced.medianFiltered.medianFiltered.thresholded(radius: max(8, $0.shorterSide / 16)) },
        ReadingPass { $0.enhanced.halved },
        ReadingPass { $0.pixels.count > 1_500_000 ? nil : $0.enhanced.doubled },
        ReadingPass { $0.enhanced.inverted.thresholded(radius: max(8, $0.shorterSide / 16)) },
        ReadingPass(libraries: [.zbar]) { $0.enhanced.mirrored },
    ]
}

extension GreyPicture {
    /// The picture with stretched contrast if that changes much, or the picture itself.
    fileprivate var enhanced: GreyPicture { stretched ?? self }
    fileprivate var shorterSide: Int { min(width, height) }
}
