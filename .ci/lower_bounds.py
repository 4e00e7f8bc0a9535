"""Print the lower bound of every dependency in pyproject.toml as an exact version."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
requirements = [
    *project["dependencies"],
    *(r for extra in project["optional-dependencies"].values() for r in extra),
]
for requirement in requirements:
    if bound := re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)", requirement):
        print(f"{bound[1]}=={bound[2]}.*")
