"""Resolving the annotations of a function, also those that name classes of the functions around it."""

import functools
import inspect
import sys
import types
import typing
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An annotation that names something unknown.

    Attributes:
        text: The annotation as it was written.
        reason: Why it could not be resolved.
    """

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Annotated:
    """A function's signature with resolved annotations.

    Attributes:
        signature: The signature; its annotations are as they were written.
        parameters: Annotation by parameter name; `inspect.Parameter.empty` where there is none.
        returns: The return annotation; `inspect.Signature.empty` where there is none.
        namespace: Names that annotations may use besides the module's.
    """

    signature: inspect.Signature
    parameters: Mapping[str, Any]
    returns: Any
    namespace: Mapping[str, Any]


def underlying(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return the plain function behind partials, methods, callable objects and `functools.wraps`."""
    found: Any = fn
    while True:
        if isinstance(found, functools.partial):
            found = found.func
        elif isinstance(found, types.MethodType):
            found = found.__func__
        elif hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        elif isinstance(found, types.FunctionType | types.BuiltinFunctionType | type):
            return typing.cast("Callable[..., Any]", found)
        else:
            call = getattr(type(found), "__call__", None)  # noqa: B004 - the method itself is wanted
            if not isinstance(call, types.FunctionType):
                return typing.cast("Callable[..., Any]", found)
            found = call


def annotated(fn: Callable[..., Any]) -> Annotated:
    """Return the signature of a callable with its annotations resolved.

    Raises:
        TypeError: The callable has no signature that Python can read.
    """
    try:
        signature = _signature(fn)
    except ValueError as error:
        raise TypeError(f"{fn!r} has no readable signature; wrap it in a function with annotations") from error
    base = underlying(fn)
    module_names = getattr(base, "__globals__", {})
    namespace = lexical_names(base)
    parameters = {
        name: resolve(parameter.annotation, module_names, namespace) for name, parameter in signature.parameters.items()
    }
    returns = resolve(signature.return_annotation, module_names, namespace)
    return Annotated(signature, parameters, returns, namespace)


def _signature(fn: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        import annotationlib

        return inspect.signature(fn, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(fn)


def resolve(annotation: Any, module_names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
    """Evaluate one annotation; what it cannot name is returned as `Unresolved`."""
    if annotation is inspect.Parameter.empty:
        return annotation
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return annotation
    holder = types.SimpleNamespace(__annotations__={"it": annotation})
    try:
        hints = typing.get_type_hints(
            typing.cast("Callable[..., Any]", holder),
            globalns=dict(module_names),
            localns=dict(namespace),
            include_extras=True,
        )
    except (NameError, AttributeError, SyntaxError, TypeError) as error:
        text = annotation if isinstance(annotation, str) else repr(annotation)
        return Unresolved(text, str(error))
    return hints["it"]


def lexical_names(fn: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the names that stand in the functions and class bodies around a function.

    String annotations do not keep the scopes they were written in. While a decorator runs, those scopes are
    still on the stack; afterwards only the function's closure is left.
    """
    qualified = getattr(fn, "__qualname__", "")
    code = getattr(fn, "__code__", None)
    if "." not in qualified or code is None:
        return {}
    scopes: list[Mapping[str, Any]] = [_closure(fn)]
    module_names = getattr(fn, "__globals__", None)
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_globals is module_names and _encloses(frame.f_code, qualified):
            scopes.append(dict(frame.f_locals))
        frame = frame.f_back
    return ChainMap(*(dict(scope) for scope in scopes))


def _encloses(code: types.CodeType, qualified: str) -> bool:
    return qualified.startswith(f"{code.co_qualname}.")


def _closure(fn: Callable[..., Any]) -> dict[str, Any]:
    names = getattr(fn, "__code__").co_freevars  # noqa: B009 - not every callable has it for the type checker
    cells = getattr(fn, "__closure__", None) or ()
    found: dict[str, Any] = {}
    for name, cell in zip(names, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found
