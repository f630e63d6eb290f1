"""What type checkers say does not depend on the interpreter, so only one environment has them."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("mypy") else ["test_typing.py"]
