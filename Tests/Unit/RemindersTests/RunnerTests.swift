import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardReminders

@Suite("Running reminders", .timeLimit(.minutes(2)))
struct RunnerTests {
    /// Returns a delivery that records the subjects.
    private func recording(_ box: Box<String>, answer: ReminderChoice? = nil) -> ReminderDelivery {
        ReminderDelivery("test") { reminder, shown in
            box.append(reminder.subject)
            await shown()
            return answer
        }
    }

    @Test("Due reminders are delivered once, and marked late if no runner was active")
    func once() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let (early, soon, later) = (
            try reminders.set("early", in: 10), try reminders.set("soon", in: 100), try reminders.set("later", in: 900)
        )
        clock.advance(110)
        let box = Box<String>()
        let runner = ReminderRunner(reminders: reminders, delivery: recording(box))
        try await runner.runOnce { _ in }
        try await runner.runOnce { _ in }
        #expect(box.elements.sorted() == ["early", "soon"])
        #expect(try reminders.reminder(early.id).isLate)
        let delivered = try reminders.reminder(soon.id)
        #expect(delivered.state == .delivered && !delivered.isLate && delivered.deliveredAt == clock.now)
        #expect(try reminders.reminder(later.id).state == .pending)
    }

    @Test("Several runners on one database deliver each reminder once")
    func several() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reminders-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite").path
        let clock = TestClock()
        func open() throws -> Reminders {
            Reminders(storage: try Storage(at: path, migrations: [Reminders.migrations])) { clock.now }
        }
        let first = try open()
        try first.storage.setStatus(.authorized, of: .notifications)
        for number in 0..<60 { try first.set("s\(number)", in: 5) }
        clock.advance(6)
        let box = Box<String>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let reminders = try open()
                let delivery = recording(box)
                group.addTask { try await ReminderRunner(reminders: reminders, delivery: delivery).runOnce { _ in } }
            }
            try await group.waitForAll()
        }
        #expect(box.elements.count == 60)
        #expect(Set(box.elements).count == 60)
    }

    @Test("A failed delivery is repeated with increasing delays")
    func failing() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let id = try reminders.set("ana", in: 1).id
        clock.advance(2)
        let events = Box<String>()
        let failing = ReminderRunner(
            reminders: reminders, delivery: ReminderDelivery("test") { _, _ in throw DeliveryError.failed("no mail") })
        for pause in Reminders.retryDelays + [900] {
            try await failing.runOnce { if case .failed(_, let reason) = $0 { events.append(reason) } }
            try await failing.runOnce { _ in events.append("too soon") }
            clock.advance(pause + 1)
        }
        #expect(events.elements == Array(repeating: "no mail", count: 6))
        #expect(try reminders.reminder(id).failure == "no mail")
        let box = Box<String>()
        try await ReminderRunner(reminders: reminders, delivery: recording(box)).runOnce { _ in }
        #expect(box.elements == ["ana"])
        #expect(try reminders.reminder(id).failure.isEmpty)
    }

    @Test("A reminder claimed by a killed process is delivered after the claim expires")
    func claimed() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        try reminders.set("ana", in: 1)
        clock.advance(2)
        #expect(try reminders.claimDue(on: "test").count == 1)
        #expect(try reminders.claimDue(on: "test").isEmpty)
        clock.advance(Reminders.claimDuration + 1)
        #expect(try reminders.claimDue(on: "test").count == 1)
    }

    @Test("Each channel delivers a reminder once until someone acts on it")
    func channels() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        try reminders.set("ana", in: 1)
        try reminders.set("bo", in: 1)
        clock.advance(2)
        let box = Box<String>()
        func run(_ channel: String) async throws -> [String] {
            let before = box.elements.count
            let delivery = ReminderDelivery(channel) { reminder, _ in
                box.append(reminder.subject)
                return nil
            }
            try await ReminderRunner(reminders: reminders, delivery: delivery).runOnce { _ in }
            return box.elements.dropFirst(before).sorted()
        }
        #expect(try await run("page") == ["ana", "bo"])
        #expect(try await run("page").isEmpty)
        try reminders.cancel(subjects: ["ana"])
        #expect(try await run("desktop") == ["bo"])
        #expect(try await run("desktop").isEmpty)
        // A new channel does not repeat reminders of last week.
        clock.advance(7 * 86_400)
        #expect(try await run("command").isEmpty)
        #expect(try reminders.nextTry(on: "command") == nil)
    }

    @Test("A failing channel does not delay another one")
    func failingChannel() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let id = try reminders.set("ana", in: 1).id
        clock.advance(2)
        let failing = ReminderDelivery("mail") { _, _ in throw DeliveryError.failed("no mail") }
        try await ReminderRunner(reminders: reminders, delivery: failing).runOnce { _ in }
        let box = Box<String>()
        try await ReminderRunner(reminders: reminders, delivery: recording(box)).runOnce { _ in }
        #expect(box.elements == ["ana"])
        #expect(try reminders.nextTry(on: "mail") == clock.now + Reminders.retryDelays[0])
        #expect(try reminders.reminder(id).failure.isEmpty)
    }

    @Test("Consent and cancellation are checked before each delivery")
    func consent() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        try reminders.set("ana", in: 1)
        try reminders.set("bo", in: 1)
        clock.advance(2)
        try reminders.storage.setStatus(.denied, of: .notifications)
        let (box, events) = (Box<String>(), Box<String>())
        let runner = ReminderRunner(reminders: reminders, delivery: recording(box))
        try await runner.runOnce { if case .notAllowed(let message) = $0 { events.append(message) } }
        #expect(box.elements.isEmpty)
        #expect(events.elements.count == 1)
        try reminders.storage.setStatus(.authorized, of: .notifications)
        try reminders.cancel(subjects: ["bo"])
        try await runner.runOnce { _ in }
        #expect(box.elements == ["ana"])
    }

    @Test("An app's own answer is reported, and Switchboard's are performed with any label")
    func ownAnswers() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        for choice in [ReminderChoice("open", label: "Öffnen"), ReminderChoice("inAnHour", label: "In einer Stunde")] {
            let id = try reminders.set(choice.id, in: 1).id
            clock.advance(2)
            let chosen = Box<String>()
            try await ReminderRunner(reminders: reminders, delivery: recording(Box(), answer: choice)).runOnce {
                event in
                if case .chosen(_, let answer) = event { chosen.append(answer.label) }
            }
            #expect(chosen.elements == [choice.label])
            #expect(try reminders.reminder(id).state == (choice.id == "open" ? .delivered : .pending))
        }
    }

    @Test("The chosen action is performed")
    func answers() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        for choice in ReminderChoice.allCases {
            let id = try reminders.set(choice.id, in: 1).id
            clock.advance(2)
            let contacted = Box<String>()
            let runner = ReminderRunner(reminders: reminders, delivery: recording(Box(), answer: choice)) {
                contacted.append($0.subject)
            }
            try await runner.runOnce { _ in }
            let after = try reminders.reminder(id)
            switch choice.id {
            case ReminderChoice.contacted.id:
                #expect(contacted.elements == ["contacted"])
                #expect(after.state == .delivered)
            case ReminderChoice.inAnHour.id:
                #expect(after.state == .pending)
                #expect(after.dueAt == clock.now + 3600)
            default:
                #expect(after.state == .pending)
                #expect(after.dueAt == ReminderTime.nextNine(after: clock.now + 86_400 - 3700, in: reminders.timeZone))
            }
        }
    }

    @Test("Delivery and answers have timeouts")
    func timeouts() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let id = try reminders.set("ana", in: 1).id
        clock.advance(2)
        let silent = ReminderDelivery("test") { _, _ in
            try await Task.sleep(for: .seconds(3600))
            return nil
        }
        let events = Box<String>()
        try await ReminderRunner(reminders: reminders, delivery: silent, deliveryTimeout: .milliseconds(50)).runOnce {
            if case .failed(_, let reason) = $0 { events.append(reason) }
        }
        #expect(events.elements.count == 1)
        clock.advance(10)
        let unanswered = ReminderDelivery("test") { _, shown in
            await shown()
            try await Task.sleep(for: .seconds(3600))
            return .contacted
        }
        try await ReminderRunner(reminders: reminders, delivery: unanswered).runOnce(
            waitingForAnswers: .milliseconds(50)
        ) { _ in }
        #expect(try reminders.reminder(id).state == .delivered)
    }

    @Test("A cancelled runner releases reminders that were not shown")
    func running() async throws {
        let storage = try Storage.inMemory(migrations: [Reminders.migrations])
        try storage.setStatus(.authorized, of: .notifications)
        let reminders = Reminders(storage: storage)
        let first = try reminders.set("first", in: 1)
        let (shown, raise) = AsyncStream<String>.makeStream()
        let runner = ReminderRunner(
            reminders: reminders,
            delivery: ReminderDelivery("test") { reminder, done in
                raise.yield(reminder.subject)
                if reminder.subject == "stuck" { try await Task.sleep(for: .seconds(3600)) }
                await done()
                return nil
            })
        let task = Task { try await runner.run { _ in } }
        var subjects = shown.makeAsyncIterator()
        #expect(await subjects.next() == "first")
        // Scheduled while the runner is active.
        let stuck = try reminders.set("stuck", in: 1)
        #expect(await subjects.next() == "stuck")
        task.cancel()
        try await task.value
        #expect(try reminders.reminder(first.id).state == .delivered)
        #expect(try reminders.reminder(stuck.id).state == .pending)
        #expect(try reminders.claimDue(on: "test").map(\.reminder.id) == [stuck.id])
    }

    @Test("A reminder that is delivered while the runner is cancelled is not delivered again")
    func cancelledDelivery() async throws {
        let storage = try Storage.inMemory(migrations: [Reminders.migrations])
        try storage.setStatus(.authorized, of: .notifications)
        let reminders = Reminders(storage: storage)
        let reminder = try reminders.set("late", in: 1)
        let (begun, raise) = AsyncStream<Void>.makeStream()
        let runner = ReminderRunner(
            reminders: reminders,
            delivery: ReminderDelivery("test") { _, _ in
                raise.yield()
                // Long enough for the runner to notice that it is cancelled.
                await Task.detached { try? await Task.sleep(for: .milliseconds(200)) }.value
                return nil
            })
        let task = Task { try await runner.run { _ in } }
        var begins = begun.makeAsyncIterator()
        _ = await begins.next()
        task.cancel()
        try await task.value
        #expect(try reminders.reminder(reminder.id).state == .delivered)
        #expect(try reminders.claimDue(on: "test").isEmpty)
    }
}
