package import Foundation

/// A date, a time of day or a delay as people type it in English.
///
/// | text | meaning |
/// | --- | --- |
/// | `9am`, `14:30`, `noon`, `half past nine` | the next such time |
/// | `tomorrow`, `fri`, `1 December`, `24.12.`, `2026-12-01` | that day at 9:00 |
/// | `tomorrow at nine`, `9am tomorrow`, `monday 9:00`, `tomorrow 9` | that day and time |
/// | `tonight`, `tomorrow morning`, `friday evening` | 20:00, 9:00, 19:00 |
/// | `next week`, `next friday` | Monday or that day of the following week |
/// | `in 2 hours`, `2h`, `1h30m`, `in a week`, `half an hour` | from now |
///
/// An hour from one to six without `am`, `pm` or minutes is in the afternoon: `tomorrow at three` is 15:00.
package struct TypedTime: Hashable, Sendable {
    /// A day, relative to another one.
    package enum Day: Hashable, Sendable {
        case today, tomorrow, dayAfterTomorrow
        /// A weekday from 0 (Monday) to 6: the next one, or the one in the week after this one.
        case weekday(Int, isInNextWeek: Bool)
        /// A date; without a year, the next one.
        case date(year: Int?, month: Int, day: Int)
    }

    /// A delay from now. Seconds are elapsed time; days are calendar days.
    package struct Delay: Hashable, Sendable {
        package var seconds = 0
        package var days = 0
    }

    /// A local date and time.
    package struct Moment: Hashable, Sendable {
        package var year: Int, month: Int, day: Int
        package var hour: Int, minute: Int
    }

    /// The delay; nil if a day or a time is given.
    package private(set) var delay: Delay?
    /// The day; nil for the next occurrence of the time.
    package private(set) var day: Day?
    /// The minutes since midnight, 1440 for the end of the day; nil without a time.
    package private(set) var minutes: Int?

    /// Parses a text; nil if it is something else.
    package init?(_ text: String) {
        var parser = Parser(text)
        guard parser.parse() else { return nil }
        (delay, day, minutes) = (parser.delay, parser.day, parser.minutes)
    }

    /// The time of day if only a day is given, 9:00.
    private static let morning = 9 * 60

    /// Returns the date and time; nil for a delay.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - timeZone: The time zone of the day and the time.
    package func moment(after now: Date, in timeZone: TimeZone) -> Moment? {
        guard delay == nil else { return nil }
        let local = Int((now.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: now))).rounded(.down))
        let today = Int((Double(local) / 86_400).rounded(.down))
        let minutes = minutes ?? Self.morning
        // The second that has begun is over.
        let isOver = local - today * 86_400 >= minutes * 60
        var chosen = day.map { number(of: $0, today: today, isOver: isOver) } ?? (isOver ? today + 1 : today)
        if minutes == 1440 { chosen += 1 }
        let (year, month, day) = CivilDate.date(daysSince1970: chosen)
        return Moment(year: year, month: month, day: day, hour: minutes % 1440 / 60, minute: minutes % 60)
    }

    /// Returns the number of a day since 1970.
    private func number(of day: Day, today: Int, isOver: Bool) -> Int {
        switch day {
        case .today: return today
        case .tomorrow: return today + 1
        case .dayAfterTomorrow: return today + 2
        case .weekday(let weekday, let isInNextWeek):
            // 1 January 1970 was a Thursday.
            let current = (today % 7 + 10) % 7
            if isInNextWeek { return today - current + 7 + weekday }
            let distance = (weekday - current + 7) % 7
            return distance == 0 && isOver ? today + 7 : today + distance
        case .date(let year?, let month, let day): return CivilDate.daysSince1970(year, month, day)
        case .date(nil, let month, let day):
            let (year, _, _) = CivilDate.date(daysSince1970: today)
            // 29 February may be eight years away.
            for year in year...year + 8 where day <= CivilDate.days(in: month, of: year) {
                let number = CivilDate.daysSince1970(year, month, day)
                if number > today || number == today && !isOver { return number }
            }
            return today
        }
    }
}

extension CivilDate {
    /// Returns the date of a number of days since 1 January 1970, the inverse of ``daysSince1970(_:_:_:)``.
    package static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        var year = 1970 + Int((Double(days) / 365.2425).rounded(.down))
        while daysSince1970(year + 1, 1, 1) <= days { year += 1 }
        while daysSince1970(year, 1, 1) > days { year -= 1 }
        var month = 12
        while daysSince1970(year, month, 1) > days { month -= 1 }
        return (year, month, days - daysSince1970(year, month, 1) + 1)
    }
}

// MARK: - Words

extension TypedTime {
    /// The names of the weekdays, Monday first.
    package static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    /// The names of the months.
    package static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    fileprivate static let numbers = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    /// Parses `4 March 1975`, `March 4, 1975`, `4.3.`, `4.3.1975` or `1975-03-04`; nil if it is anything else.
    package static func date(_ text: String) -> (year: Int?, month: Int, day: Int)? {
        guard let typed = TypedTime(text), typed.minutes == nil, case .date(let year, let month, let day)? = typed.day
        else { return nil }
        return (year, month, day)
    }

    /// Returns a date in words: `4 March 1975`, or `4 March` without the year.
    package static func text(year: Int?, month: Int, day: Int) -> String {
        "\(day) \(months[max(0, min(month, 12) - 1)])" + (year.map { " \($0)" } ?? "")
    }

    /// Returns a point in time in words, such as `tomorrow, 09:00`, `Friday, 14:30` or `1 December, 09:00`.
    package static func text(of date: Date, after now: Date, in timeZone: TimeZone) -> String {
        func local(_ date: Date) -> Int {
            Int((date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))).rounded(.down))
        }
        let seconds = local(date)
        let number = Int((Double(seconds) / 86_400).rounded(.down))
        let today = Int((Double(local(now)) / 86_400).rounded(.down))
        let (year, month, day) = CivilDate.date(daysSince1970: number)
        let name =
            switch number - today {
            case 0: "today"
            case 1: "tomorrow"
            case 2...6: weekdays[(number % 7 + 10) % 7]
            default: text(year: CivilDate.date(daysSince1970: today).year == year ? nil : year, month: month, day: day)
            }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = seconds - number * 86_400
        return "\(name), \(two(time / 3600)):\(two(time / 60 % 60))" + (time % 60 == 0 ? "" : ":\(two(time % 60))")
    }
}

// MARK: - Parsing

/// A parser of the words of a ``TypedTime``.
private struct Parser {
    private let words: [Substring]
    private var index = 0
    private(set) var delay: TypedTime.Delay?
    private(set) var day: TypedTime.Day?
    private(set) var minutes: Int?
    /// An hour without minutes, which `am`, `pm` or a word for a part of the day may still move.
    private var bareHour: Int?
    /// True after `at`, which a time must follow.
    private var expectsTime = false
    /// The usual time of a part of the day, in minutes.
    private var part: Int?

    init(_ text: String) {
        words = text.lowercased().replacing("’", with: "'").split { $0.isWhitespace || $0 == "," }
    }

    private var word: Substring? { words.indices.contains(index) ? words[index] : nil }
    private var nextWord: Substring? { words.indices.contains(index + 1) ? words[index + 1] : nil }

    /// Parses all words.
    mutating func parse() -> Bool {
        guard !words.isEmpty, words.count <= 12 else { return false }
        while word != nil {
            guard parseDelay() || parseDay() || parsePart() || parseTime() || skip() else { return false }
        }
        guard !expectsTime else { return false }
        finishTime()
        return delay != nil ? day == nil && minutes == nil : day != nil || minutes != nil
    }

    /// Skips a word that means nothing by itself.
    private mutating func skip() -> Bool {
        switch word {
        case "at" where !expectsTime: expectsTime = true
        case "on" where nextWord != nil, "the" where nextWord != nil: break
        case "in" where nextWord == "the" || nextWord.map { Parser.isPart($0) } ?? false: break
        default: return false
        }
        index += 1
        return true
    }

    // MARK: - Delays

    private static let units: [(names: [Substring], seconds: Int, days: Int)] = [
        (["s", "sec", "secs", "second", "seconds"], 1, 0), (["m", "min", "mins", "minute", "minutes"], 60, 0),
        (["h", "hr", "hrs", "hour", "hours"], 3600, 0), (["d", "day", "days"], 0, 1),
        (["w", "wk", "wks", "week", "weeks"], 0, 7),
    ]

    private static func unit(_ name: Substring) -> (seconds: Int, days: Int)? {
        units.first { $0.names.contains(name) }.map { ($0.seconds, $0.days) }
    }

    /// Parses `in 2 hours`, `2h`, `1h30m`, `an hour`, `half an hour` or `a week and 2 days`.
    private mutating func parseDelay() -> Bool {
        let start = (index, delay)
        if word == "in" { index += 1 }
        var isFound = false
        while let word {
            if isFound, word == "and" {
                index += 1
                continue
            }
            if word == "half", nextWord == "an" || nextWord == "a", let unit = words.dropFirst(index + 2).first,
                unit == "hour"
            {
                add(30, (60, 0))
                index += 3
            } else if let number = Parser.count(word), let unit = nextWord.flatMap({ Parser.unit($0) }) {
                add(number, unit)
                index += 2
            } else if let parts = Parser.compound(word) {
                for (number, unit) in parts { add(number, unit) }
                index += 1
            } else {
                break
            }
            isFound = true
        }
        if !isFound { (index, delay) = start }
        return isFound
    }

    private mutating func add(_ number: Int, _ unit: (seconds: Int, days: Int)) {
        var sum = delay ?? TypedTime.Delay()
        sum.seconds += number * unit.seconds
        sum.days += number * unit.days
        delay = sum
    }

    /// Returns the number of `2`, `two`, `a` or `an`, up to a million.
    private static func count(_ word: Substring) -> Int? {
        if word == "a" || word == "an" { return 1 }
        if let index = TypedTime.numbers.firstIndex(of: String(word)) { return index + 1 }
        return digits(word, most: 7)
    }

    /// Returns the parts of `1h30m`; nil for another word.
    private static func compound(_ word: Substring) -> [(Int, (seconds: Int, days: Int))]? {
        var rest = word
        var parts: [(Int, (seconds: Int, days: Int))] = []
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let count = digits(number, most: 7), let unit = unit(name) else { return nil }
            parts.append((count, unit))
        }
        return parts.isEmpty ? nil : parts
    }

    /// Returns the value of ASCII digits; nil for any other text.
    private static func digits(_ text: some StringProtocol, most: Int) -> Int? {
        guard (1...most).contains(text.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    // MARK: - Days

    private mutating func set(_ day: TypedTime.Day, words count: Int) -> Bool {
        guard self.day == nil else { return false }
        self.day = day
        index += count
        return true
    }

    private mutating func parseDay() -> Bool {
        guard let word else { return false }
        switch word {
        case "today": return set(.today, words: 1)
        case "tomorrow", "tmrw": return set(.tomorrow, words: 1)
        case "tonight":
            part = 20 * 60
            return set(.today, words: 1)
        case "day" where Array(words.dropFirst(index + 1).prefix(2)) == ["after", "tomorrow"]:
            return set(.dayAfterTomorrow, words: 3)
        case "next":
            guard let nextWord else { return false }
            if nextWord == "week" { return set(.weekday(0, isInNextWeek: true), words: 2) }
            return Parser.weekday(nextWord).map { set(.weekday($0, isInNextWeek: true), words: 2) } ?? false
        case "this":
            guard let nextWord else { return false }
            if Parser.isPart(nextWord) { return set(.today, words: 1) }
            return Parser.weekday(nextWord).map { set(.weekday($0, isInNextWeek: false), words: 2) } ?? false
        default: break
        }
        if let weekday = Parser.weekday(word) { return set(.weekday(weekday, isInNextWeek: false), words: 1) }
        return parseDate(word)
    }

    /// Parses `2026-12-01`, `1.12.`, `1.12.2026`, `1 December 2026` or `December 1, 2026`.
    private mutating func parseDate(_ word: Substring) -> Bool {
        func set(_ year: Int?, _ month: Int?, _ day: Int?, words count: Int, in parser: inout Parser) -> Bool {
            guard let month, let day, (1...12).contains(month),
                (1...CivilDate.days(in: month, of: year ?? 2000)).contains(day), (1...9999).contains(year ?? 1)
            else { return false }
            return parser.set(.date(year: year, month: month, day: day), words: count)
        }
        func number(_ text: Substring) -> Int? { Parser.digits(text, most: 2) }
        func year(_ text: Substring?) -> Int? { text.flatMap { $0.count == 4 ? Parser.digits($0, most: 4) : nil } }
        let dashed = word.split(separator: "-", omittingEmptySubsequences: false)
        if dashed.count == 3, let year = year(dashed[0]) {
            return set(year, number(dashed[1]), number(dashed[2]), words: 1, in: &self)
        }
        let dotted = word.split(separator: ".", omittingEmptySubsequences: false)
        if dotted.count == 3, dotted[2].isEmpty || year(dotted[2]) != nil {
            return set(year(dotted[2]), number(dotted[1]), number(dotted[0]), words: 1, in: &self)
        }
        func ordinal(_ text: Substring?) -> Int? {
            guard let text else { return nil }
            for end in ["st", "nd", "rd", "th", "."] where text.hasSuffix(end) {
                return number(text.dropLast(end.count))
            }
            return number(text)
        }
        func month(_ text: Substring?) -> Int? {
            text.flatMap { Parser.position(of: $0, in: TypedTime.months) }.map { $0 + 1 }
        }
        let third = words.dropFirst(index + 2).first
        let count = year(third) == nil ? 2 : 3
        if let day = ordinal(word), let month = month(nextWord) {
            return set(year(third), month, day, words: count, in: &self)
        }
        if let month = month(word), let day = ordinal(nextWord) {
            return set(year(third), month, day, words: count, in: &self)
        }
        return false
    }

    /// Returns the position of a name of which a text is at least the first three letters.
    private static func position(of text: Substring, in names: [String]) -> Int? {
        let text = text.hasSuffix(".") ? text.dropLast() : text
        return text.count < 3 ? nil : names.firstIndex { $0.lowercased().hasPrefix(text) }
    }

    private static func weekday(_ text: Substring) -> Int? { position(of: text, in: TypedTime.weekdays) }

    // MARK: - Times

    private static func isPart(_ word: Substring) -> Bool { ["morning", "afternoon", "evening"].contains(word) }

    /// Parses `morning`, `afternoon` or `evening`.
    private mutating func parsePart() -> Bool {
        guard let word, Parser.isPart(word), part == nil else { return false }
        part = word == "morning" ? 9 * 60 : word == "afternoon" ? 15 * 60 : 19 * 60
        index += 1
        return true
    }

    private mutating func set(minutes: Int, words count: Int) -> Bool {
        guard self.minutes == nil, bareHour == nil else { return false }
        self.minutes = minutes
        (expectsTime, index) = (false, index + count)
        return true
    }

    private mutating func parseTime() -> Bool {
        guard let word else { return false }
        switch word {
        case "noon", "midday": return set(minutes: 12 * 60, words: 1)
        case "midnight": return set(minutes: 24 * 60, words: 1)
        case "half" where nextWord == "past", "quarter" where nextWord == "past" || nextWord == "to":
            guard let hour = words.dropFirst(index + 2).first.flatMap({ Parser.hour($0) }), (1...12).contains(hour)
            else { return false }
            let offset = word == "half" ? 30 : nextWord == "past" ? 15 : -15
            return set(minutes: afternoon(hour) * 60 + offset, words: 3)
        default: break
        }
        // 9am, 9:30pm, and the same in two words.
        let half = ["am", "pm", "a.m.", "p.m."].first { word.hasSuffix($0) && word.count > $0.count }
        let separate = nextWord.flatMap { ["am", "pm", "a.m.", "p.m."].contains(String($0)) ? String($0) : nil }
        if let suffix = half ?? separate {
            guard let (hour, minute) = Parser.clock(half == nil ? word : word.dropLast(suffix.count)),
                (1...12).contains(hour)
            else { return false }
            return set(
                minutes: (hour % 12 + (suffix.hasPrefix("p") ? 12 : 0)) * 60 + (minute ?? 0), words: half == nil ? 2 : 1
            )
        }
        guard let (hour, minute) = Parser.clock(word) else { return false }
        if let minute { return set(minutes: hour * 60 + minute, words: 1) }
        // A number alone is a time only beside a day or after "at".
        let isClock = nextWord == "o'clock"
        guard day != nil || expectsTime || isClock || nextWord != nil, minutes == nil, bareHour == nil else {
            return false
        }
        bareHour = hour
        (expectsTime, index) = (false, index + (isClock ? 2 : 1))
        return true
    }

    /// Returns the hour in the afternoon that is meant by one to six.
    private func afternoon(_ hour: Int) -> Int { (1...6).contains(hour) && part != 9 * 60 ? hour + 12 : hour }

    private static func hour(_ word: Substring) -> Int? {
        TypedTime.numbers.firstIndex(of: String(word)).map { $0 + 1 } ?? digits(word, most: 2)
    }

    /// Returns the parts of `14:30`, `14.30` or `9`; nil for another word or an invalid time.
    private static func clock(_ word: Substring) -> (hour: Int, minute: Int?)? {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        guard let hour = parts.first.flatMap({ self.hour($0) }), hour < 24, parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return (hour, nil) }
        guard parts[1].count == 2, let minute = digits(parts[1], most: 2), minute < 60 else { return nil }
        return (hour, minute)
    }

    /// Combines an hour without minutes with a part of the day.
    private mutating func finishTime() {
        if let bareHour {
            let isLate = (part ?? 0) > 12 * 60 && bareHour < 12
            minutes = (isLate ? bareHour + 12 : afternoon(bareHour)) * 60
        } else if let part {
            // "tonight at 11:15" is in the evening, too.
            if let given = minutes, part > 12 * 60, given < 12 * 60 { minutes = given + 12 * 60 }
            minutes = minutes ?? part
        }
    }
}
