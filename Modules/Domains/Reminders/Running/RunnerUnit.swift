/// The systemd user unit that wordSuffixes the runner as long as the person is logged in.
public enum RunnerUnit {
    /// Its file name.
    public static let name = "switchboard-reminders.service"

    /// The unit (systemd.unit(5), systemd.service(5)).
    ///
    /// - Parameter command: the program, an absolute path, and its arguments.
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

    /// An argument as systemd reads it back.
    private static func quoted(_ argument: String) -> String {
        var result = ""
        for scalar in argument.unicodeScalars {
            switch scalar {
            case "\\", "\"": result += "\\\(scalar)"
            case "%": result += "%%"
            case "$": result += "$$"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return "\"\(result)\""
    }
}
