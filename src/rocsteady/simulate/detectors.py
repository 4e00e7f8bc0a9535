"""The example of the documentation: two intrusion detectors, watched on many hosts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class _Detector:
    """How a model scores one event: both classes are moved together, by ``shift``, from host to host."""

    name: str
    separation: float
    shift: float


_DETECTORS = (
    _Detector("current", separation=1.9, shift=0.15),
    # Better within a host, but a score does not mean the same on each of them: under one shared threshold
    # it loses more than it wins. No comparison of AUCs host by host shows that.
    _Detector("candidate", separation=2.2, shift=1.1),
)


def hosts(*, n_hosts: int = 24, seed: int = 20) -> dict[str, list[str] | list[int] | list[float]]:
    """Draw the example of the documentation: two intrusion detectors, watched on many hosts.

    Every host has its own number of events and share of attacks. Both detectors score the same events,
    and an event that fools one tends to fool the other. The last host but one saw no attack, so it has
    no ROC curve; one host saw nine.

    Parameters
    ----------
    n_hosts : int
        At least 3.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    dict
        Columns ``host``, ``event``, ``model``, ``label`` and ``score`` (rounded to four places, so that
        ties occur), one row per event and model.

    Examples
    --------
    >>> table = hosts()
    >>> {name: column[0] for name, column in table.items()}
    {'host': 'host-01', 'event': 1, 'model': 'current', 'label': 'attack', 'score': 2.2586}
    >>> sorted(set(table["host"]) - {h for h, l in zip(table["host"], table["label"]) if l == "attack"})
    ['host-23']
    """
    if n_hosts < 3:
        raise ValueError(f"the example needs at least 3 hosts, got {n_hosts}")
    names: list[str] = []
    events: list[int] = []
    models: list[str] = []
    labels: list[str] = []
    scores: list[float] = []
    first_event = 1
    for number in range(1, n_hosts + 1):
        random = np.random.default_rng([seed, number])  # one stream per host: hosts do not move each other
        n_attacks, n_normal = _sizes(number, n_hosts, random)
        is_attack = random.permutation(n_attacks + n_normal) < n_attacks
        ease = 0.25 * random.standard_normal()  # some hosts are easier, for both detectors
        shared = random.standard_normal(is_attack.size)
        for detector in _DETECTORS:
            own = random.standard_normal(is_attack.size)
            level = detector.shift * random.standard_normal()
            drawn = level + (detector.separation + ease) * is_attack + 0.8 * shared + 0.6 * own
            names += [f"host-{number:02d}"] * is_attack.size
            events += range(first_event, first_event + is_attack.size)
            models += [detector.name] * is_attack.size
            labels += ["attack" if attack else "normal" for attack in is_attack.tolist()]
            scores += drawn.round(4).tolist()
        first_event += is_attack.size
    return {"host": names, "event": events, "model": models, "label": labels, "score": scores}


def _sizes(number: int, n_hosts: int, random: np.random.Generator) -> tuple[int, int]:
    """Attacks and normal events of a host: unequal, with the two awkward hosts that real sets have."""
    n_normal = int(random.integers(80, 700))
    n_attacks = int(n_normal * random.uniform(0.08, 0.3))
    if number == n_hosts - 1:
        return 0, n_normal
    if number == max(n_hosts - 7, 1):
        return 9, n_normal
    return n_attacks, n_normal
