// Adaptive thresholding, for uneven light and for blurred codes, whose small modules are grey but darker or lighter
// than their surroundings.

extension GreyPicture {
    /// Returns a black and white picture. A pixel is black if it is darker than the mean of the square around it.
    ///
    /// - Parameters:
    ///   - radius: Half the side of the square, in pixels.
    ///   - bias: The number of levels by which a pixel may be lighter than the mean and still be black.
    /// - Complexity: O(pixels) for any radius (summed-area table: Crow, 1984; thresholding: Bradley and Roth, 2007).
    func thresholded(radius: Int, bias: Int = 0) -> GreyPicture {
        guard width > 0, height > 0, pixels.count < Int(UInt32.max) / 255 else { return self }
        let stride = width + 1
        let sums = [UInt32](unsafeUninitializedCapacity: stride * (height + 1)) { sums, count in
            for x in 0..<stride { sums[x] = 0 }
            for y in 0..<height {
                var row: UInt32 = 0
                sums[(y + 1) * stride] = 0
                for x in 0..<width {
                    row &+= UInt32(pixels[y * width + x])
                    sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] &+ row
                }
            }
            count = stride * (height + 1)
        }
        let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            pixels.withUnsafeBufferPointer { source in
                sums.withUnsafeBufferPointer { sums in
                    for y in 0..<height {
                        let (top, bottom) = (max(0, y - radius), min(height, y + radius + 1))
                        for x in 0..<width {
                            let (left, right) = (max(0, x - radius), min(width, x + radius + 1))
                            let sum =
                                sums[bottom * stride + right] &- sums[top * stride + right]
                                &- sums[bottom * stride + left]
                                &+ sums[top * stride + left]
                            let area = (bottom - top) * (right - left)
                            let isDark = (Int(source[y * width + x]) + bias) * area < Int(sum)
                            target[y * width + x] = isDark ? 0 : 255
                        }
                    }
                }
            }
            count = pixels.count
        }
        return GreyPicture(width: width, height: height, pixels: result)
    }
}
