// ContactBook: see docs/architecture.md.
