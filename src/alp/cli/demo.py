"""`alp demo`."""


def demo() -> None:
    """Placeholder until the command is written."""
