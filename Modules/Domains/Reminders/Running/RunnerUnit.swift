import SwitchboardVCard

/// The systemd user unit that runs a reminder runner while the user is logged in.
public enum RunnerUnit {
    /// The file name of the unit.
    public static let name = "switchboard-reminders.service"

    /// Returns the text of the unit (systemd.unit(5), systemd.service(5)).
    ///
    /// - Parameter command: The absolute path of the program, and its arguments.
    public static func text(running command: [String]) -> String {
        """
        [Unit]
        Description=Reminders of Switchboard
        PartOf=graphical-session.target
        After=graphical-session.target

        [Service]
        ExecStart=\(command.map(quoted).joined(separator: " "))
        Restart=on-failure
        RestartSec=5

        [Install]
        WantedBy=graphical-session.target

        """
    }

    private static func quoted(_ argument: String) -> String {
        let result = argument.replacingScalars { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "%": "%%"
            case "$": "$$"
            case "\n": "\\n"
            default: nil
            }
        }
        return "\"\(result)\""
    }
}
