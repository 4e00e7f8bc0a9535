"""What a step of the report's slider costs in a real browser: script time with 100 groups and two models.

The page is a report of simulated scores. Every step is an ``input`` event of the slider and the work that the
script then does in the next frame; both are clocked inside the page. The time in which the browser paints is
not part of it.
"""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measurement import Measurement, NotMeasuredError

N_GROUPS = 100
BUDGET = 8.0
"""Milliseconds: half of a frame."""
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
_CLOCK = """
window.spent = 0;
const frame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (work) => frame((time) => {
  const start = performance.now();
  work(time);
  window.spent += performance.now() - start;
});
"""
_STEPS = """async () => {
  const slider = document.getElementById('r-slider');
  const last = Number(slider.max);
  const times = [];
  for (let k = 0; k <= last; k += 1) {
    window.spent = 0;
    slider.value = String(k);
    const start = performance.now();
    slider.dispatchEvent(new Event('input'));
    const handled = performance.now() - start;
    await new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 0));
    times.push(handled + window.spent);
  }
  return times;
}"""


def slider_step(rounds: int) -> Measurement:
    """Milliseconds of one step, in each round the mean over the whole way of the slider."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError as error:
        raise NotMeasuredError(f"{error.name} is not installed") from error
    chromium = next((found for name in _CHROMIUM if (found := shutil.which(name))), None)
    if chromium is None:
        raise NotMeasuredError("there is no Chromium")
    page_file = _report()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1240, "height": 900})
        page.add_init_script(_CLOCK)
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        page.evaluate(_STEPS)  # compiled and warm, as after the first drag
        times = [page.evaluate(_STEPS) for _ in range(rounds)]
        browser.close()
    means = tuple(float(np.mean(own)) for own in times)
    every = np.concatenate(times)
    note = f"median {np.median(every):.2f}, 95 % below {np.quantile(every, 0.95):.2f} ms; {N_GROUPS} groups"
    # Steady is what differs little against the budget; against itself half a millisecond never is.
    return Measurement(means, min(means), note, scale=BUDGET, raw={"milliseconds": tuple(map(float, every))})


@cache
def _report() -> Path:
    """A report with as many groups as are drawn, of two models."""
    import rocsteady as rs

    rng = np.random.default_rng(0)
    n, per_group = N_GROUPS, 400
    groups = np.tile(np.repeat(np.arange(n), per_group), 2)
    labels = rng.random(groups.size) < 0.3
    models = np.repeat(["baseline", "candidate"], groups.size // 2)
    scores = rng.normal(1.8 * labels + 0.3 * rng.standard_normal(2 * n).repeat(per_group))
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups, models=models)
    path = Path(tempfile.mkdtemp(prefix="rocsteady-")) / "report.html"
    rs.write_report(path, score_set, rs.Deployment(threshold="shared"), n_resamples=200)
    return path
