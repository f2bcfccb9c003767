public import ArgumentParser
public import SwitchboardAirports
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardStorage

extension AccessSubject: ExpressibleByArgument {}
extension NearestOrder: ExpressibleByArgument {}
extension ProspectFilter: ExpressibleByArgument {}
extension ProspectOrder: ExpressibleByArgument {}
extension Reminder.State: ExpressibleByArgument {}
