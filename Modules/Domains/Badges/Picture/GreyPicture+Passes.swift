// Transformations that make an unreadable code readable: one that is pale, inverted, noisy, mirrored, too large or too
// small. Each is one pass over the pixels.

extension GreyPicture {
    /// Returns a picture of the same size with new pixels.
    private func mapping(_ fill: (UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>) -> Void) -> GreyPicture
    {
        let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            pixels.withUnsafeBufferPointer { fill($0, UnsafeMutableBufferPointer(rebasing: target[..<$0.count])) }
            count = pixels.count
        }
        return GreyPicture(width: width, height: height, pixels: result)
    }

    /// Returns a picture with each pixel replaced by its entry in a table of 256.
    private func applying(_ table: [UInt8]) -> GreyPicture {
        mapping { source, target in
            table.withUnsafeBufferPointer { table in
                for index in source.indices { target[index] = table[Int(source[index])] }
            }
        }
    }

    /// The negative of the picture.
    var inverted: GreyPicture { applying((0...255).map { 255 - UInt8($0) }) }

    /// The picture with its contrast stretched to the whole range, ignoring the darkest and lightest 1 %; nil if that
    /// changes little.
    var stretched: GreyPicture? {
        var counts = [Int](repeating: 0, count: 256)
        for pixel in pixels { counts[Int(pixel)] += 1 }
        func level(_ levels: some Sequence<Int>) -> Int {
            var rest = pixels.count / 100
            for level in levels {
                rest -= counts[level]
                if rest < 0 { return level }
            }
            return 0
        }
        let (low, high) = (level(0...255), level((0...255).reversed()))
        guard high > low, high - low < 200 else { return nil }
        return applying((0...255).map { UInt8(clamping: ($0 - low) * 255 / (high - low)) })
    }

    /// The picture with each pixel replaced by the median of its 3 × 3 neighbourhood: removes noise and preserves
    /// edges.
    var medianFiltered: GreyPicture {
        guard width > 2, height > 2 else { return self }
        return mapping { source, target in
            var window = (0, 0, 0, 0, 0, 0, 0, 0, 0) as (Int, Int, Int, Int, Int, Int, Int, Int, Int)
            _ = target.update(from: source)
            withUnsafeMutableBytes(of: &window) { raw in
                let nine = raw.bindMemory(to: Int.self)
                for y in 1..<(height - 1) {
                    for x in 1..<(width - 1) {
                        // Insertion sort; nine values are too few for anything cleverer.
                        var count = 0
                        for row in (y - 1)...(y + 1) {
                            for column in (x - 1)...(x + 1) {
                                let value = Int(source[row * width + column])
                                var place = count
                                while place > 0, nine[place - 1] > value {
                                    nine[place] = nine[place - 1]
                                    place -= 1
                                }
                                nine[place] = value
                                count += 1
                            }
                        }
                        target[y * width + x] = UInt8(truncatingIfNeeded: nine[4])
                    }
                }
            }
        }
    }

    /// The picture flipped horizontally.
    var mirrored: GreyPicture {
        mapping { source, target in
            for y in 0..<height {
                for x in 0..<width { target[y * width + x] = source[y * width + width - 1 - x] }
            }
        }
    }

    /// The picture at half the size, each pixel the mean of four.
    var halved: GreyPicture {
        let (newWidth, newHeight) = (width / 2, height / 2)
        guard newWidth > 0, newHeight > 0 else { return self }
        let result = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight) { target, count in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    for x in 0..<newWidth {
                        let place = 2 * y * width + 2 * x
                        let sum =
                            Int(source[place]) + Int(source[place + 1]) + Int(source[place + width])
                            + Int(source[place + width + 1])
                        target[y * newWidth + x] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
                    }
                }
            }
            count = newWidth * newHeight
        }
        return GreyPicture(width: newWidth, height: newHeight, pixels: result)
    }

    /// The picture at twice the size, interpolated.
    var doubled: GreyPicture {
        let (newWidth, newHeight) = (width * 2, height * 2)
        guard width > 1, height > 1 else { return self }
        let result = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight) { target, count in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    let (top, bottom) = (min(y / 2, height - 1), min((y + 1) / 2, height - 1))
                    for x in 0..<newWidth {
                        let (left, right) = (min(x / 2, width - 1), min((x + 1) / 2, width - 1))
                        let sum =
                            Int(source[top * width + left]) + Int(source[top * width + right])
                            + Int(source[bottom * width + left]) + Int(source[bottom * width + right])
                        target[y * newWidth + x] = UInt8(truncatingIfNeeded: sum / 4)
                    }
                }
            }
            count = newWidth * newHeight
        }
        return GreyPicture(width: newWidth, height: newHeight, pixels: result)
    }
}
