public import Airports
public import ArgumentParser
public import Prospects
public import Reminders
public import Storage

// The words of the domains that may be arguments, as they are.

extension AccessSubject: ExpressibleByArgument {}
extension NearestOrder: ExpressibleByArgument {}
extension ProspectFilter: ExpressibleByArgument {}
extension ProspectOrder: ExpressibleByArgument {}
extension Reminder.State: ExpressibleByArgument {}
