"""What a test needs that others do not."""


def stranger(test):
    """A test that begins without being signed in."""
    test.is_stranger = True
    return test


def only_on(*sizes):
    """A test of one size alone."""
    def mark(test):
        test.sizes = sizes
        return test
    return mark
