// Storage: see docs/architecture.md.
