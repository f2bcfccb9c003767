import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardKit

extension Interface {
    /// Does what a command says, or says why it cannot be done now.
    mutating func perform(_ command: Command) -> [Request] {
        if layers.isEmpty, command.isAboutRows, isBehind {
            waiting.append(command)
            return []
        }
        if let reason = reasonAgainst(command) {
            warn(reason)
            return []
        }
        switch command {
        case .tab(let tab): return show(tab)
        case .nextTab: return show(tab.next(1))
        case .previousTab: return show(tab.next(-1))
        case .down: return move(by: 1)
        case .up: return move(by: -1)
        case .pageDown: return move(by: max(1, layout.list.height - 1))
        case .pageUp: return move(by: -max(1, layout.list.height - 1))
        case .first: return move(by: -listing.rows.count)
        case .last: return move(by: listing.rows.count)
        case .open: return open()
        case .leave: return leave()
        case .toList: focusOnList()
        case .searchLine:
            layers = []
            (isInList, isCursorOnRow) = (false, false)
        case .help: layers.append(.help(top: 0))
        case .palette: layers.append(.palette(Layer.Palette()))
        case .map: layers.append(.map)
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .nineKeys: return toggleNineKeys()
        case .undo: return takeBack()
        case .filter:
            filter = filter.next
            return [search()]
        case .order:
            order = order.next
            return [search()]
        case .badge:
            layers.append(.badge(nil))
            return [.badge]
        case .editBadge:
            if case .badge(.some(let badge))? = layers.last {
                layers.removeLast()
                layers.append(.form(Form(.me(badge.details))))
                return []
            }
            return perform(.badge)
        case .reminders:
            layers.append(.reminders(Listing()))
            return [.reminders]
        case .scan:
            layers.append(.prompt(Layer.Prompt(title: "Picture (PNG or JPEG)", purpose: .scan)))
        case .usePlace:
            layers.append(.prompt(Layer.Prompt(title: "Your place as latitude,longitude", purpose: .place)))
        case .answerReminder: if let reminder = due.last { layers.append(.choices(reminder, chosen: 0)) }
        case .contacted, .remind, .remindAt, .add, .edit, .remove, .favourite, .call: return performOnSubject(command)
        }
        return []
    }

    private mutating func performOnSubject(_ command: Command) -> [Request] {
        if command == .add {
            layers.append(.form(Form(tab == .prospects ? .newProspect : .newContact)))
            return []
        }
        guard let result = subject?.result else { return [] }
        switch (command, result.object) {
        case (.contacted, .prospect(let prospect)):
            return [.perform(.setContacted(prospect.id, !prospect.isContacted, nil))]
        case (.remind, .prospect(let prospect)): return [.perform(.remind(prospect.id, .nextNine))]
        case (.remindAt, .prospect(let prospect)):
            layers.append(
                .prompt(
                    Layer.Prompt(
                        title: "When to contact \(prospect.displayName): 2026-11-21 14:30, or 30m, 2h, 1d",
                        purpose: .remind(id: prospect.id))))
        case (.edit, .contact(let contact)): layers.append(.form(Form(.contact(contact))))
        case (.edit, .prospect(let prospect)): layers.append(.form(Form(.prospect(prospect))))
        case (.remove, .contact(let contact)): return [.perform(.removeContact(contact.id))]
        case (.remove, .prospect(let prospect)): return [.perform(.removeProspect(prospect.id))]
        case (.favourite, .contact(let contact)):
            return [.perform(.setFavourite(contact.id, !contact.isFavourite))]
        case (.call, .contact(let contact)): return [.show(result), .perform(.callContact(contact.id))]
        case (.call, .airport(let airport, _)): return [.show(result), .perform(.chooseAirport(airport.code))]
        case (.call, .item): return [.show(result), .choose(result, query: line.text)]
        default: break
        }
        return []
    }

    // MARK: - Moving about

    private mutating func show(_ tab: Tab) -> [Request] {
        layers = []
        (self.tab, isCursorOnRow) = (tab, false)
        return [search(isSame: listing.text == line.text)] + (tab == .airports && world.isEmpty ? [.world] : [])
    }

    /// Moves the choice; near the end of what was asked for more is asked for.
    private mutating func move(by distance: Int) -> [Request] {
        isCursorOnRow = true
        var listing = listing
        listing.move(by: distance)
        listing.scroll(height: layout.list.height)
        let wantsMore = listing.hasMore && listing.chosen + layout.list.height >= listing.rows.count
        if wantsMore { listing.limit = min(listing.rows.count * 4, 1 << 20) }
        self.listing = listing
        return wantsMore ? [search(isSame: true)] : []
    }

    mutating func focusOnList() {
        (isInList, isCursorOnRow) = (true, true)
    }

    private mutating func open() -> [Request] {
        guard let row = listing.row else { return [] }
        switch row.content {
        case .activity(let stored): return [.goOn(activity: stored.id)]
        case .result(let result):
            layers.append(.detail(row, top: 0))
            isInList = true
            // A row has a part of what is known; the detail has it all.
            return [.show(result), .read(result.place, goesThere: false)]
        case .reminder: return []
        }
    }

    /// Leaves one level: what lies above, then the list for the line, then the text of the line; from the empty line it goes to the list,
    /// where it stays.
    private mutating func leave() -> [Request] {
        if !layers.isEmpty {
            layers.removeLast()
            return []
        }
        if isInList {
            if !line.isEmpty { (isInList, isCursorOnRow) = (false, false) }
        } else if !line.isEmpty {
            line = TextField()
            isCursorOnRow = false
            return [search()]
        } else {
            focusOnList()
        }
        return []
    }

    private mutating func takeBack() -> [Request] {
        switch undoing.popLast() {
        case .form(let form):
            layers.append(.form(form))
            return []
        case .edits(let edits): return edits.reversed().map { .perform($0, isUndo: true) }
        case nil: return []
        }
    }
}

extension Command {
    /// Whether it is about the rows of the list.
    fileprivate var isAboutRows: Bool {
        switch self {
        case .down, .up, .pageDown, .pageUp, .first, .last, .open, .contacted, .remind, .remindAt, .edit, .remove,
            .favourite, .call, .toList:
            true
        default: false
        }
    }
}

extension Tab {
    /// The tab so many further; behind the last one comes the first.
    func next(_ distance: Int) -> Tab {
        let count = Tab.allCases.count
        return Tab.allCases[((rawValue + distance) % count + count) % count]
    }
}

extension ProspectFilter {
    var next: ProspectFilter {
        switch self {
        case .everyone: .uncontacted
        case .uncontacted: .contacted
        case .contacted: .everyone
        }
    }
}

extension ProspectOrder {
    var next: ProspectOrder { self == .name ? .recent : .name }
}

extension OwnBadge {
    /// What stands on it.
    var details: MyDetails {
        switch self {
        case .none: MyDetails()
        case .code(let details, _), .failed(let details, _): details
        }
    }
}
