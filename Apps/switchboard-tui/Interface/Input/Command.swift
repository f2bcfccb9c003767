/// A command of the user, from a key, the palette or the mouse.
public enum Command: Hashable, Sendable {
    case tab(Tab)
    case nextTab, previousTab
    case down, up, pageDown, pageUp, first, last
    case open, leave, toList
    case help, palette, quit, suspend, redraw
    case searchLine
    case contacted, remind, remindAt, badge, editBadge, scan, reminders
    case add, edit, remove, undo, favourite, call
    case filter, order
    case answerReminder, setLocation, map, keypadTyping
}
