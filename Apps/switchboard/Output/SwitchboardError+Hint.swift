import SwitchboardKit

extension SwitchboardError {
    /// Returns the error with advice for the command line added to its message.
    ///
    /// The messages of the libraries name the problem only. The stable ``code`` selects the command that helps.
    ///
    /// - Parameter group: The top-level command that failed, such as "contacts".
    func withHint(group: String?) -> SwitchboardError {
        guard let hint = hint(group: group) else { return self }
        var error = self
        error.message += "; " + hint
        return error
    }

    private func hint(group: String?) -> String? {
        switch (code, group) {
        case ("notFound", "contacts"): "'switchboard contacts list' lists all contacts"
        case ("notFound", "prospects"): "'switchboard prospects list' lists all prospects"
        case ("notFound", "reminders"): "'switchboard reminders list' lists all reminders"
        case ("notFound", "index"): "'switchboard index list' lists all items"
        case ("notFound", "activity"): "'switchboard activity list' lists all activities"
        case ("accessNotGranted", "contacts"): "allow it with 'switchboard access grant contacts'"
        case ("accessNotGranted", "prospects"), ("accessNotGranted", "reminders"):
            "allow it with 'switchboard access grant notifications'"
        case ("accessNotGranted", "airports"): "allow it with 'switchboard access grant location'"
        case ("locationUnreachable", _), ("locationRefused", _):
            "set a location with 'switchboard airports here LAT,LON'"
        case ("unknownGroup", _): "'switchboard contacts groups' lists the groups"
        case ("changedSinceMerge", _): "--discard-changes undoes the merge and these changes"
        case ("missingFolder", _): "if the folder was followed, 'switchboard contacts unlink' ends that"
        case ("notLinked", _): "'switchboard contacts links' lists the followed folders"
        case ("nothingLinked", _): "follow a folder with 'switchboard contacts link DIR'"
        case ("folderEmptied", _): "--force-delete removes the contacts, too"
        case ("contacted", _): "undo that with 'switchboard prospects contacted --undo ID'"
        case ("notDelivered", _): "use --deliver-with COMMAND or --terminal"
        case ("damaged", _):
            "'switchboard database check' lists the problems, 'switchboard database restore' restores a backup"
        default: nil
        }
    }
}
