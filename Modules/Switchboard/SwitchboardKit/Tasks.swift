public import SwitchboardReminders
public import SwitchboardStorage

extension Switchboard {
    /// The reminders as tasks. Write and remove them with ``writeTask(_:as:if:)`` and ``removeTask(_:if:)``.
    public var tasks: ReminderTasks {
        get throws { ReminderTasks(reminders: try reminders) }
    }

    /// Stores a task that a client wrote. Marks its prospect as contacted if the task is now done, and as uncontacted if
    /// it no longer is.
    ///
    /// - Parameters:
    ///   - bytes: An iCalendar object with one VTODO.
    ///   - name: The name of a task.
    ///   - permits: Returns `true` if the task with a tag may be replaced; nil if there is none.
    /// - Returns: The stored task.
    /// - Throws: `ReminderTasksError`, `ProspectsError` if the prospect was removed, `StorageError`.
    public func writeTask(
        _ bytes: [UInt8], as name: String, if permits: (_ tag: String?) -> Bool
    ) throws -> StoredResource {
        let tasks = try tasks
        return try storage.write { _ in
            let (resource, effect) = try tasks.write(bytes, as: name, if: permits)
            switch effect {
            case .completed(let prospect): try setContacted([prospect])
            case .reopened(let prospect): try setContacted([prospect], to: false)
            case .moved, .unchanged: break
            }
            return resource
        }
    }

    /// Removes a task and cancels its reminder.
    ///
    /// - Parameters:
    ///   - name: The name of the task.
    ///   - permits: Returns `true` if the task with a tag may be removed.
    /// - Throws: `ReminderTasksError`, `StorageError`.
    public func removeTask(_ name: String, if permits: (_ tag: String) -> Bool) throws {
        try tasks.remove(name, if: permits)
    }
}
