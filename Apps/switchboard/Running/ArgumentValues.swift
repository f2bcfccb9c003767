public import SwitchboardAirports
public import ArgumentParser
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardStorage

// The words of the domains that may be arguments, as they are.

extension AccessSubject: ExpressibleByArgument {}
extension NearestOrder: ExpressibleByArgument {}
extension ProspectFilter: ExpressibleByArgument {}
extension ProspectOrder: ExpressibleByArgument {}
extension Reminder.State: ExpressibleByArgument {}
