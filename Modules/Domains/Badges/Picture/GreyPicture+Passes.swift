// What makes a code readable that is not: pale, inverted, noisy, mirrored, too large or too small. Each is one pass over the
// pixels.

extension GreyPicture {
    /// The same with other pixels, each computed from its place.
    private func mapping(_ fill: (UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>) -> Void) -> GreyPicture
    {
        let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            pixels.withUnsafeBufferPointer { fill($0, UnsafeMutableBufferPointer(rebasing: target[..<$0.count])) }
            count = pixels.count
        }
        return GreyPicture(width: width, height: height, pixels: result)
    }

    /// The pixels looked up in a table of 256.
    private func lookingUp(_ table: [UInt8]) -> GreyPicture {
        mapping { source, target in
            table.withUnsafeBufferPointer { table in
                for index in source.indices { target[index] = table[Int(source[index])] }
            }
        }
    }

    /// White for black.
    var inverted: GreyPicture { lookingUp((0...255).map { 255 - UInt8($0) }) }

    /// The contrast spread over the whole range, the darkest and lightest hundredth cut off; nil if that changes little.
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
        return lookingUp((0...255).map { UInt8(clamping: ($0 - low) * 255 / (high - low)) })
    }

    /// Each pixel the median of itself and its eight neighbours: takes single wrong pixels away and leaves edges sharp.
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

    /// Left for right.
    var mirrored: GreyPicture {
        mapping { source, target in
            for y in 0..<height {
                for x in 0..<width { target[y * width + x] = source[y * width + width - 1 - x] }
            }
        }
    }

    /// Half as wide and high, each pixel the mean of four.
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

    /// Twice as wide and high, the new pixels between the old ones.
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
