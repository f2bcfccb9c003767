// Airports: see docs/architecture.md.
