"""Which of two biometric matchers makes fewer errors?

On normal deviate axes (DET) both error rates are seen at every scale, and a matcher with normal scores is a
straight line. Marked are the equal error rates, and what each one misses at one false match in a thousand.

    fingerprint: EER 0.0337, FNMR at FMR 0.001: 0.2147
    voice: EER 0.0557, FNMR at FMR 0.001: 0.4703
"""

import sys
from pathlib import Path

import rocsteady as rs

matchers = {
    "fingerprint": rs.simulate.binormal(3000, 20000, separation=4.2, ratio=1.3, seed=1),
    "voice": rs.simulate.binormal(3000, 20000, separation=3.1, ratio=0.9, seed=2),
}
curves = {}
for name, (is_genuine, similarity) in matchers.items():
    curve = rs.roc_curve(is_genuine, similarity)
    curves[name] = curve
    print(f"{name}: EER {curve.equal_error_rate:.4f}, FNMR at FMR 0.001: {1 - curve.tpr_at(0.001):.4f}")

axes = rs.plot.det(curves, at={"fmr": 0.001}, words="biometric")
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "matchers.png", dpi=200)
