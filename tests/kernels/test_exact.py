"""The portable 128-bit integers (for compilers without __int128) agree with the built-in ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from conftest import skip_unless_required

NATIVE = Path(__file__).parents[2] / "native"

PROGRAM = r"""
#define ROCSTEADY_PORTABLE_INT128
#include "exact.hpp"
#include <cstdio>
#include <random>
typedef __int128 Builtin;
using rocsteady::Int128;
static Builtin builtin(Int128 x) { return Builtin((unsigned __int128)x.high << 64 | x.low); }
int main() {
    std::mt19937_64 random(7);
    long checked = 0;
    for (int round = 0; round < 2000000; ++round) {
        // Operands of all sizes and signs; products stay within 127 bits.
        const long long a = (long long)random() >> (random() % 64), b = (long long)random() >> (random() % 64);
        const long long c = (long long)random() >> (40 + random() % 24);
        const Int128 ab = rocsteady::multiply(a, b);
        if (builtin(ab) != Builtin(a) * b) return 1;
        if (builtin(ab - Int128(c)) != Builtin(a) * b - c || builtin(ab + Int128(c)) != Builtin(a) * b + c) return 2;
        if (rocsteady::to_double(ab) != double(Builtin(a) * b)) return 3;
        const Int128 small = Int128(a >> 20) + Int128(b >> 20);
        if (builtin(rocsteady::multiply(small, c)) != (Builtin(a >> 20) + (b >> 20)) * c) return 4;
        if (rocsteady::to_int64(small) != (a >> 20) + (b >> 20)) return 5;
        ++checked;
    }
    std::printf("%ld checked", checked);
}
"""


def test_portable_integers_agree_with_the_built_in_ones(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        skip_unless_required("no C++ compiler")
    (tmp_path / "program.cpp").write_text(PROGRAM)
    subprocess.run(
        [str(compiler), "-std=c++17", "-O2", f"-I{NATIVE}", "program.cpp", "-o", "program"],
        cwd=tmp_path,
        check=True,
    )
    result = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "2000000 checked")
