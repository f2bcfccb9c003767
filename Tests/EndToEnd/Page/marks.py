"""Decorators for tests."""


def signed_out(test):
    """A test that starts signed out."""
    test.is_signed_out = True
    return test


def only_in_chromium(test):
    """A test that needs what Playwright offers for Chromium only: its tools, a camera, touch or the bodies of requests."""
    test.is_only_in_chromium = True
    return test


def only_on(*sizes):
    """A test of only some sizes."""
    def mark(test):
        test.sizes = sizes
        return test
    return mark
