import CSwitchboardDBus

/// A message from another program, completely read.
package struct DBusMessage: Sendable {
    /// The kind of a message.
    package enum Kind: Sendable {
        case call
        case reply
        case error
        case signal
    }

    /// The kind.
    package let kind: Kind
    /// The unique name of the sender, such as `:1.42`; empty if unknown.
    package let sender: String
    /// The path of the object.
    package let path: String
    /// The interface; empty if the sender gave none.
    package let interface: String
    /// The name of the method or signal.
    package let member: String
    /// The signature of the arguments.
    package let signature: String
    /// The arguments.
    package let arguments: [DBusValue]
    /// The call to reply to; nil for other messages.
    package let call: DBusCall?
}

/// A call that was not replied to yet.
package struct DBusCall: Sendable, Hashable {
    let number: UInt64
}

extension Message {
    var kind: DBusMessage.Kind {
        // Safe: the message is alive.
        switch unsafe sb_message_type_of(message) {
        case SB_MESSAGE_CALL: .call
        case SB_MESSAGE_RETURN: .reply
        case SB_MESSAGE_ERROR: .error
        default: .signal
        }
    }

    /// Returns the parts and arguments of a received message.
    func received(as call: DBusCall?) throws(DBusError) -> DBusMessage {
        // Safe: the texts belong to the message, end with NUL, and are copied at once.
        func text(_ part: UnsafePointer<CChar>?) -> String { unsafe part.map { unsafe String(cString: $0) } ?? "" }
        return DBusMessage(
            kind: kind, sender: unsafe text(sb_message_sender(message)), path: unsafe text(sb_message_path(message)),
            interface: unsafe text(sb_message_interface(message)), member: unsafe text(sb_message_member(message)),
            signature: unsafe text(sb_message_signature(message)), arguments: try values(), call: call)
    }
}
