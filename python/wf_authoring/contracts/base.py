"""What all contracts have in common."""


class Contract:
    """Marks contracts, so that they are told apart from the classes they were made of."""

    __slots__ = ()
