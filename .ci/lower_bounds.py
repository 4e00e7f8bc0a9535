"""Print the lower bound of every requirement in pyproject.toml as an exact version."""

import re
import tomllib
from pathlib import Path

settings = tomllib.loads(Path("pyproject.toml").read_text())
project = settings["project"]
requirements = [*settings["build-system"]["requires"], *project["dependencies"]]
requirements += [r for extra in project["optional-dependencies"].values() for r in extra]
for requirement in requirements:
    if bound := re.match(r"([A-Za-z0-9_.-]+)>=([0-9.]+)", requirement):
        print(f"{bound[1]}=={bound[2]}.*")
