public import SwitchboardBadges

extension GreyPicture {
    /// A picture full of the finder patterns in the corners of QR codes, without any code. It keeps the libraries busy for
    /// hours, as they compare all triples of patterns.
    ///
    /// - Parameters:
    ///   - columns: The number of patterns in a row.
    ///   - rows: The number of rows of patterns.
    ///   - moduleSize: The side of a module in pixels; a pattern has eight by eight modules with its margin.
    public static func finderPatterns(columns: Int, rows: Int, moduleSize: Int) -> GreyPicture {
        let row = (0..<8 * rows * moduleSize).map { y in
            (0..<8).flatMap { column -> [UInt8] in
                let distance = max(abs(column - 3), abs(y / moduleSize % 8 - 3))
                return Array(repeating: distance == 3 || distance <= 1 ? 0 : 255, count: moduleSize)
            }
        }
        let pixels = row.flatMap { Array(repeating: $0, count: columns).flatMap { $0 } }
        return GreyPicture(width: 8 * columns * moduleSize, height: row.count, pixels: pixels)
    }
}
