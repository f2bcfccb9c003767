// LookupEngine: see docs/architecture.md.
