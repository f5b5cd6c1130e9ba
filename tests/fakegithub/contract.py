"""Every exchange of the REST interface is held to GitHub's published description, of which ``openapi.json`` is a slice.

Three traps of that description are minded: an enum beside ``nullable`` leaves null out although GitHub sends it;
parameters such as ``{ref}`` span slashes; and error statuses are not all declared, so that an undeclared one is let
pass while an undeclared success is not. GraphQL needs no such check: it is executed on the schema itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

_BASE = "urn:openapi"
_SPANNING = ("ref", "branch", "path")
_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what was answered."""

    method: str
    path: str
    query: str
    asked: Any
    status: int
    answered: Any


@dataclass(frozen=True, slots=True)
class _Operation:
    """What the description says of one method of one path."""

    name: str
    query: Mapping[str, Any]
    body: Any
    responses: Mapping[str, Any]


@dataclass(slots=True)
class Contract:
    """What was found wrong, and how many exchanges were looked at."""

    violations: list[str] = field(default_factory=list)
    checked: int = 0

    def check(self, exchange: Exchange) -> None:
        """Look at one exchange; what is wrong is noted."""
        if exchange.path == "/graphql":
            return
        self.checked += 1
        self.violations += (f"{exchange.method} {exchange.path}: {fault}" for fault in faults(exchange))

    def kept(self) -> None:
        """Fail where anything was found wrong."""
        assert not self.violations, "GitHub's description is not kept:\n" + "\n".join(self.violations[:20])


def faults(exchange: Exchange) -> Iterator[str]:
    """What is wrong with an exchange by the description."""
    operation = _operation(exchange.method.lower(), exchange.path)
    if operation is None:
        if exchange.status != 404:
            yield "no such operation in the slice"
        return
    if exchange.status < 400 or exchange.status == 422:
        yield from _asked(operation, exchange)
    declared = operation.responses.get(str(exchange.status))
    if declared is None:
        if exchange.status < 300:
            yield f"status {exchange.status} is not declared"
        return
    if "$ref" in declared:
        declared = _at(declared["$ref"])
    content = declared.get("content", {}).get("application/json")
    if content is None:
        if exchange.answered is not None and exchange.status < 300:
            yield f"status {exchange.status} has no body"
        return
    yield from (f"answer: {fault}" for fault in invalid(content["schema"], exchange.answered))


def _asked(operation: _Operation, exchange: Exchange) -> Iterator[str]:
    for name, value in parse_qsl(exchange.query, keep_blank_values=True):
        if name not in operation.query:
            yield f"parameter {name} is not declared"
            continue
        schema = operation.query[name]
        known: Any = int(value) if schema.get("type") == "integer" and value.isdigit() else value
        yield from (f"parameter {name}: {fault}" for fault in invalid(schema, known))
    if operation.body is not None and exchange.status < 400:
        yield from (f"request: {fault}" for fault in invalid(operation.body, exchange.asked))


def invalid(schema: Any, value: Any) -> Iterator[str]:
    """What is wrong with a value by a schema of the description."""
    for error in _validator(json.dumps(schema)).iter_errors(value):
        place = "/".join(map(str, error.absolute_path))
        yield f"{place or 'whole'}: {error.message[:200]}"


@cache
def description() -> Any:
    """The slice, with ``nullable`` said as JSON Schema says it."""
    whole = json.loads((Path(__file__).parent / "openapi.json").read_text(encoding="utf-8"))
    return _nullable(whole)


def _nullable(given: Any) -> Any:
    if isinstance(given, list):
        return [_nullable(each) for each in given]
    if not isinstance(given, dict):
        return given
    found = {key: _nullable(value) for key, value in given.items()}
    return {"anyOf": [found, {"type": "null"}]} if given.get("nullable") is True else found


@cache
def _registry() -> Registry[Any]:
    whole: Resource[Any] = Resource.from_contents(description(), default_specification=DRAFT202012)
    found: Registry[Any] = Registry().with_resource(_BASE, whole)
    return found


@cache
def _validator(schema: str) -> Draft202012Validator:
    local = schema.replace('"#/', f'"{_BASE}#/')
    return Draft202012Validator(json.loads(local), registry=_registry())


def _at(reference: str) -> Any:
    found = description()
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


@cache
def _operations() -> list[tuple[str, re.Pattern[str], _Operation]]:
    found = []
    for path, methods in description()["paths"].items():
        parts = [f"(?P<{part[1:-1]}>.+)" if part[1:-1] in _SPANNING else "[^/]+" if part.startswith("{") else re.escape(part)
                 for part in path.split("/")]  # fmt: skip
        pattern = re.compile("/".join(parts))
        for method in _METHODS:
            if method in methods:
                given = [*methods.get("parameters", []), *methods[method].get("parameters", [])]
                whole = [_at(each["$ref"]) if "$ref" in each else each for each in given]
                query = {each["name"]: each["schema"] for each in whole if each["in"] == "query"}
                content = (
                    methods[method].get("requestBody", {}).get("content", {}).get("application/json", {})
                )
                responses = methods[method]["responses"]
                name = methods[method]["operationId"]
                found.append((method, pattern, _Operation(name, query, content.get("schema"), responses)))
    return found


def named(method: str, path: str) -> str | None:
    """The name that the description gives the operation of a request; None where the slice has none."""
    operation = _operation(method.lower(), path)
    return operation.name if operation is not None else None


def _operation(method: str, path: str) -> _Operation | None:
    fits = [each for verb, pattern, each in _operations() if verb == method and pattern.fullmatch(path)]
    return fits[0] if fits else None
