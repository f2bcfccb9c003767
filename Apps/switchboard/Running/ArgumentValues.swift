public import Airports
public import ArgumentParser
public import Storage

// The words of the domains that may be arguments, as they are.

extension AccessSubject: ExpressibleByArgument {}
extension NearestOrder: ExpressibleByArgument {}
