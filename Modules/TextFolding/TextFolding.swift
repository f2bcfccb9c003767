// TextFolding: see docs/architecture.md.
