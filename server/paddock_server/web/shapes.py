"""Values of pages as JSON, and the JSON Schema of their types.

A page's values are named tuples of plain values, so that HTML, JSON and its description come from
one place and can't disagree.
"""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

_PLAIN: Final[Mapping[Any, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}
_SEQUENCES: Final = (tuple, list)


def plain(value: Any) -> Any:
    """A value that json.dumps takes; a named tuple becomes an object."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(each) for name, each in zip(value._fields, value, strict=True)}
    if isinstance(value, _SEQUENCES):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return value


def schema(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a type; those of named tuples go into `named` and are referred to."""
    if kind is Any:
        return {}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inside)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema(each, named) for each in inside]}
    if origin in _SEQUENCES:
        if len(inside) == 1 or inside[1:] == (...,):
            return {"type": "array", "items": schema(inside[0], named)}
        some = [schema(each, named) for each in inside]
        return {"type": "array", "prefixItems": some, "minItems": len(some), "maxItems": len(some)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema(inside[1], named)}
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _named(kind, named)
    raise TypeError(f"{kind} has no JSON Schema; use named tuples of plain values")


def _named(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__
    if name not in named:
        named[name] = {}  # it may refer to itself
        hints = get_type_hints(kind)
        named[name] = {
            "type": "object",
            "description": (kind.__doc__ or "").strip(),
            "properties": {field: schema(hints[field], named) for field in kind._fields},
            "required": list(kind._fields),
            "additionalProperties": False,
        }
    return {"$ref": f"#/components/schemas/{name}"}
