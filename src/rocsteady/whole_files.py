"""Files that are whole or not there: written under another name, then renamed."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it, and a failure leaves the previous one as it was.

    Raises
    ------
    OSError
        As the system says: no room, no permission. Nothing is left behind then, nor after an interrupt.
    """
    import secrets  # with all of hashlib, which reading and counting do without

    path = Path(os.path.realpath(path))  # a link stays one; what it points to is replaced
    # Beside the file, since a rename across disks is a copy; the name is known before the file exists, so
    # there is no moment in which an interrupt would leave it.
    temporary = path.with_name(f".rocsteady-{secrets.token_hex(8)}.part")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
