"""One honest ROC curve from many: every average exactly, what it means, and how sure it is.

Public names are listed in ``__init__.pyi`` and imported when they are first used: ``import rocsteady`` costs
next to nothing. Classes of results have no public name; they are documented where they are made.
"""

from functools import cache as _cache


@_cache
def _homes() -> dict[str, tuple[str, str]]:
    """The module that has a public name, and what it is called there."""
    import ast
    from pathlib import Path

    listed = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    imports = [line for line in listed if isinstance(line, ast.ImportFrom)]
    return {own.asname: (line.module, own.name) for line in imports for own in line.names}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        return version("rocsteady")
    if name == "__all__":
        return sorted(_homes())
    if name.startswith("_") or name not in _homes():
        from rocsteady.calling import no_such_name

        raise no_such_name(name, sorted(_homes()))
    home, own = _homes()[name]
    value = import_module(f"{home}.{own}") if home == __name__ else getattr(import_module(home), own)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*_homes(), "__all__", "__version__"]
