// Switchboard: see docs/architecture.md.
