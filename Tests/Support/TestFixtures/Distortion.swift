import Foundation
public import SwitchboardBadges
import SwitchboardTestSupport

/// A reproducible distortion of a picture, such as rotation, blur, low contrast or noise.
public struct Distortion: Sendable {
    /// The name in benchmarks.
    public let name: String
    /// Returns the distorted picture.
    public let apply: @Sendable (GreyPicture) -> GreyPicture

    /// Creates a distortion.
    public init(_ name: String, _ apply: @escaping @Sendable (GreyPicture) -> GreyPicture) {
        self.name = name
        self.apply = apply
    }

    /// All distortions.
    public static let all: [Distortion] = [
        Distortion("as written") { $0 },
        Distortion("turned by 15°") { $0.turned(by: 15) },
        Distortion("turned by 45°") { $0.turned(by: 45) },
        Distortion("turned by 200°") { $0.turned(by: 200) },
        Distortion("blurred, sigma 1") { $0.blurred(1) },
        Distortion("blurred, sigma 2") { $0.blurred(2) },
        Distortion("blurred, sigma 3") { $0.blurred(3) },
        Distortion("blurred, sigma 4") { $0.blurred(4) },
        Distortion("contrast 40 of 255") { $0.pale(110...150) },
        Distortion("contrast 10 of 255") { $0.pale(120...130) },
        Distortion("contrast 10, turned by 15°") { $0.turned(by: 15).pale(120...130) },
        Distortion("inverted") { $0.negative },
        Distortion("inverted, contrast 40, turned by 15°") { $0.turned(by: 15).negative.pale(100...140) },
        Distortion("mirrored") { $0.flipped },
        Distortion("mirrored, turned by 15°") { $0.flipped.turned(by: 15) },
        Distortion("specks, 5 %") { $0.speckled(5) },
        Distortion("specks, 15 %") { $0.speckled(15) },
        Distortion("specks, 25 %") { $0.speckled(25) },
        Distortion("grain, sigma 40") { $0.grainy(40) },
        Distortion("grain, sigma 80") { $0.grainy(80) },
        Distortion("uneven light") { $0.unevenlyLit },
        Distortion("small in a scene") { $0.inScene(scale: 0.45) },
        Distortion("small in a scene, blurred") { $0.inScene(scale: 0.45).blurred(1) },
        Distortion("tiny in a scene") { $0.inScene(scale: 0.3) },
        Distortion("modules of 5 pixels, blurred, sigma 2") { $0.shrunk(to: 0.625).blurred(2) },
        Distortion("modules of 5 pixels, blurred, sigma 3") { $0.shrunk(to: 0.625).blurred(3) },
        Distortion("modules of 5 pixels, blurred, sigma 4") { $0.shrunk(to: 0.625).blurred(4) },
        Distortion("modules of 3 pixels, specks, 10 %") { $0.shrunk(to: 0.375).speckled(10) },
        Distortion("from the side") { $0.fromTheSide },
        Distortion("turned by 15°, blurred 2, contrast 40, grain") {
            $0.turned(by: 15).blurred(2).pale(110...150).grainy(4)
        },
    ]
}

// MARK: - Distortions

extension GreyPicture {
    /// Returns a picture with each pixel computed from its coordinates.
    func drawn(width: Int? = nil, height: Int? = nil, _ pixel: (Int, Int) -> Double) -> GreyPicture {
        let (width, height) = (width ?? self.width, height ?? self.height)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width { pixels.append(UInt8(min(max(pixel(x, y), 0), 255))) }
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }

    /// Returns the bilinearly interpolated gray value at a position; white outside of the picture.
    func grey(_ x: Double, _ y: Double) -> Double {
        guard x > 0, y > 0, x < Double(width - 1), y < Double(height - 1) else { return 255 }
        let (left, top) = (Int(x), Int(y))
        let (u, v) = (x - Double(left), y - Double(top))
        let place = top * width + left
        let upper = Double(pixels[place]) * (1 - u) + Double(pixels[place + 1]) * u
        let lower = Double(pixels[place + width]) * (1 - u) + Double(pixels[place + width + 1]) * u
        return upper * (1 - v) + lower * v
    }

    /// Returns the picture rotated about its center, on a canvas that holds all of it.
    public func turned(by degrees: Double) -> GreyPicture {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let side = Int(Double(max(width, height)) * (abs(sine) + abs(cosine))) + 2
        let middle = Double(side) / 2
        return drawn(width: side, height: side) { x, y in
            let (dx, dy) = (Double(x) - middle, Double(y) - middle)
            return grey(dx * cosine + dy * sine + Double(width) / 2, dy * cosine - dx * sine + Double(height) / 2)
        }
    }

    /// Returns the picture scaled down with bilinear interpolation.
    public func shrunk(to scale: Double) -> GreyPicture {
        drawn(width: Int(Double(width) * scale), height: Int(Double(height) * scale)) { x, y in
            grey((Double(x) + 0.5) / scale, (Double(y) + 0.5) / scale)
        }
    }

    /// The picture in perspective: one edge is little more than half as long as the other.
    public var fromTheSide: GreyPicture {
        drawn { x, y in
            let depth = 1 + 0.7 * Double(x) / Double(width)
            return grey(Double(x) * depth / 1.35, (Double(y) - Double(height) / 2) * depth + Double(height) / 2)
        }
    }

    /// Returns the picture with a Gaussian blur of a standard deviation in pixels.
    public func blurred(_ sigma: Double) -> GreyPicture {
        let radius = Int(3 * sigma)
        let weights = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        func along(_ step: Int, _ source: [Double]) -> [Double] {
            source.indices.map { index in
                let (x, y) = (index % width, index / width)
                var grey = 0.0
                for (offset, weight) in zip(-radius...radius, weights) {
                    let place =
                        step == 1
                        ? y * width + min(max(x + offset, 0), width - 1)
                        : min(max(y + offset, 0), height - 1) * width + x
                    grey += source[place] * weight
                }
                return grey / sum
            }
        }
        let result = along(width, along(1, pixels.map(Double.init)))
        return drawn { x, y in result[y * width + x].rounded() }
    }

    /// Returns the picture with its contrast reduced to a range.
    public func pale(_ range: ClosedRange<Double>) -> GreyPicture {
        drawn { x, y in
            (range.lowerBound + Double(pixels[y * width + x]) / 255 * (range.upperBound - range.lowerBound)).rounded()
        }
    }

    /// The negative of the picture.
    public var negative: GreyPicture { drawn { x, y in 255 - Double(pixels[y * width + x]) } }

    /// The picture flipped horizontally.
    public var flipped: GreyPicture { drawn { x, y in Double(pixels[y * width + width - 1 - x]) } }

    /// Returns the picture with a percentage of its pixels set to black or white.
    public func speckled(_ percent: Int) -> GreyPicture {
        var random = SplitMix(seed: UInt64(percent))
        return drawn { x, y in
            let dice = random.next()
            return dice % 100 < UInt64(percent) ? (dice >> 32 & 1 == 0 ? 0 : 255) : Double(pixels[y * width + x])
        }
    }

    /// Returns the picture with Gaussian noise of a standard deviation.
    public func grainy(_ sigma: Double) -> GreyPicture {
        var random = SplitMix(seed: UInt64(sigma))
        return drawn { x, y in
            // The sum of twelve uniform numbers is nearly normal.
            var noise = -6.0
            for _ in 0..<12 { noise += Double(random.next() >> 11) / Double(1 << 53) }
            return Double(pixels[y * width + x]) + noise * sigma
        }
    }

    /// The picture lit from one corner.
    public var unevenlyLit: GreyPicture {
        drawn { x, y in
            let light = 0.15 + 0.85 * Double(x + y) / Double(width + height)
            return (20 + Double(pixels[y * width + x]) * 0.85) * light
        }
    }

    /// Returns a scene of 1,200 by 900 pixels with shapes and gradients that contains the picture.
    public func inScene(scale: Double) -> GreyPicture {
        var random = SplitMix(seed: 7)
        func below(_ limit: UInt64) -> Double { Double(random.next() % limit) }
        var shapes: [(x: Double, y: Double, width: Double, height: Double, grey: Double)] = []
        for _ in 0..<60 { shapes.append((below(1200), below(900), below(160) + 10, below(160) + 10, below(256))) }
        let (left, top) = (520.0, 340.0)
        let (sine, cosine) = (sin(0.12), cos(0.12))
        return drawn(width: 1200, height: 900) { x, y in
            let (dx, dy) = ((Double(x) - left) / scale, (Double(y) - top) / scale)
            let (u, v) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
            if u > 0, v > 0, u < Double(width), v < Double(height) { return 25 + grey(u, v) * 0.8 }
            let shape = shapes.last { abs($0.x - Double(x)) < $0.width / 2 && abs($0.y - Double(y)) < $0.height / 2 }
            return shape?.grey ?? (60 + Double(x) / 12 + Double(y) / 15)
        }
    }
}
