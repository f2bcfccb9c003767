// KeypadInput: see docs/architecture.md.
