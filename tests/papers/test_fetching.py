"""Fetching the data of Table 1, with a network of the tests' own making: nothing here leaves the machine.

And from the originals to the CSV files: short pieces of every original, and the real files where they are.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import os
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from papers.smroc import fetching
from papers.smroc.fetching import LAYOUTS, Outcome, fetch, named, normalised
from papers.smroc.sets import DataFile, Set, all_of_table_1, others, table_1, unavailable
from rocsteady.errors import FileError, UsageError

RAW = b"30,64,1,1\n34,59,0,2\n"
MADE = b"age,year,nodes,class\n30,64,1,0\n34,59,0,1\n"
REAL = {one.abbr: one for one in table_1()}
# Haberman's data as if they had only two rows.
SHORT = replace(REAL["habr"], sha256=hashlib.sha256(MADE).hexdigest(), n=2, n_positives=1)
PLAIN, ARCHIVE = (address.url for address in SHORT.addresses)

Answer = bytes | Exception


class Page(io.BytesIO):
    """What an opener gives back."""

    def __init__(self, content: bytes, announced: str | None = None) -> None:
        super().__init__(content)
        self.headers = {} if announced is None else {"Content-Length": announced}


class Network:
    """Answers to addresses; anything else cannot be reached."""

    def __init__(self, **answers: Answer) -> None:
        self.answers: dict[str, Answer] = {
            {"plain": PLAIN, "archive": ARCHIVE}[k]: v for k, v in answers.items()
        }
        self.asked: list[str] = []
        self.announced: str | None = None

    def __call__(self, request: urllib.request.Request, timeout: float) -> Page:
        assert 0 < timeout < 120
        self.asked.append(request.full_url)
        answer = self.answers.get(request.full_url, urllib.error.URLError("Name or service not known"))
        if isinstance(answer, Exception):
            raise answer
        return Page(answer, self.announced)


def zipped(**members: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("_data", ".data"), text)
    return content.getvalue()


def one_outcome(
    folder: Path, network: Network | None = None, of: DataFile = SHORT, **options: object
) -> Outcome:
    outcomes = list(fetch(folder, [of], opener=network or Network(), **options))  # type: ignore[arg-type]
    assert len(outcomes) == 1
    return outcomes[0]


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_the_file_is_made_checked_and_written(tmp_path: Path) -> None:
    network = Network(plain=RAW)
    outcome = one_outcome(tmp_path, network)
    assert outcome.error is None
    assert (tmp_path / "uci" / "habr.csv").read_bytes() == MADE
    assert files_below(tmp_path) == ["uci/habr.csv"]
    assert network.asked == [PLAIN]  # the second address is not bothered
    assert outcome.path == tmp_path / "uci" / "habr.csv"
    assert stat.S_IMODE(outcome.path.stat().st_mode) & 0o044 == 0o044


def test_a_file_that_is_there_is_not_downloaded_again(tmp_path: Path) -> None:
    one_outcome(tmp_path, Network(plain=RAW))
    network = Network()
    outcome = one_outcome(tmp_path, network)
    assert (outcome.error, network.asked) == (None, [])
    assert "was there already" in outcome.words


@pytest.mark.parametrize(
    "first",
    [
        urllib.error.URLError("Name or service not known"),
        urllib.error.HTTPError(PLAIN, 404, "Not Found", http.client.HTTPMessage(), None),
        TimeoutError("timed out"),
        http.client.IncompleteRead(b"30,"),
        ConnectionResetError("reset by peer"),
        b"<html>This page has moved</html>",
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_the_next_address_is_tried_when_the_first_fails(tmp_path: Path, first: Answer) -> None:
    network = Network(plain=first, archive=zipped(folder__haberman_data=RAW))
    outcome = one_outcome(tmp_path, network)
    assert outcome.error is None
    assert network.asked == [PLAIN, ARCHIVE]
    assert (tmp_path / "uci" / "habr.csv").read_bytes() == MADE


def test_all_reasons_are_given_when_no_address_answers(tmp_path: Path) -> None:
    gone = urllib.error.HTTPError(PLAIN, 404, "Not Found", http.client.HTTPMessage(), None)
    outcome = one_outcome(tmp_path, Network(plain=gone))
    assert outcome.error is not None
    assert outcome.error.code == "RS098"
    text = "\n".join(outcome.lines())
    assert "404 Not Found" in text
    assert "Name or service not known" in text
    assert "--from FOLDER" in text
    assert files_below(tmp_path) == []


def test_a_download_that_is_cut_short_is_not_used(tmp_path: Path) -> None:
    network = Network(plain=RAW)
    network.announced = str(len(RAW) + 7)
    outcome = one_outcome(tmp_path, network)
    assert outcome.error is not None
    assert f"cut short: {len(RAW)} of {len(RAW) + 7} bytes" in outcome.error.found
    assert files_below(tmp_path) == []


def test_a_download_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "LARGEST", len(RAW) - 1)
    outcome = one_outcome(tmp_path, Network(plain=RAW, archive=RAW))
    assert outcome.error is not None
    assert outcome.error.found.count("nothing so large was expected") == 2
    monkeypatch.setattr(fetching, "LARGEST", len(RAW))
    monkeypatch.setattr(fetching, "SECONDS_IN_ALL", -1)
    outcome = one_outcome(tmp_path, Network(plain=RAW, archive=RAW))
    assert outcome.error is not None
    assert outcome.error.found.count("not complete after") == 2


@pytest.mark.parametrize(
    ("archive", "found"),
    [
        (b"no archive", "no archive that can be read"),
        (zipped(other_data=RAW), "does not hold haberman.data"),
        (zipped(haberman_data=RAW)[:-30], "no archive that can be read"),
        (zipped(haberman_data=RAW).replace(b"34,59", b"34,58"), "no archive that can be read: Bad CRC"),
    ],
)
def test_a_damaged_archive_is_refused(tmp_path: Path, archive: bytes, found: str) -> None:
    outcome = one_outcome(tmp_path, Network(archive=archive))
    assert outcome.error is not None
    assert found in outcome.error.found
    assert files_below(tmp_path) == []


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("place", [0, 8])
def test_damage_inside_an_archive_does_not_stop_the_others(tmp_path: Path, way: int, place: int) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", way) as archive:
        archive.writestr("haberman.data", RAW * 100)
    start = 30 + len("haberman.data") + place  # in the compressed bytes
    damaged = bytearray(content.getvalue())
    damaged[start : start + 16] = b"\xff" * 16
    network = Network(archive=bytes(damaged))
    outcomes = fetch(tmp_path, [SHORT, SHORT], opener=network)
    first = next(outcomes)
    assert first.error is not None
    assert first.error.code == "RS098"
    assert "no archive that can be read" in first.error.found
    network.answers[PLAIN] = RAW
    assert next(outcomes).error is None


def test_a_large_member_of_a_small_archive_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("haberman.data", b"0" * 100_000)
    monkeypatch.setattr(fetching, "LARGEST", 50_000)
    outcome = one_outcome(tmp_path, Network(archive=content.getvalue()))
    assert outcome.error is not None
    assert "has 100000 bytes in the archive" in outcome.error.found


CHANGED = RAW.replace(b"34,59", b"34,58")


def test_digits_that_differ_are_counted_without_classes(tmp_path: Path) -> None:
    (digits,) = others()
    (tmp_path / "mfeat-mor").write_bytes(b"1 0 0 133.15 1.3117 1620.2\n")
    outcome = one_outcome(tmp_path / "data", of=digits, source=tmp_path)
    assert outcome.differs
    assert outcome.error is not None
    assert "found 1 rows; expected 2 000" in outcome.error.found


def test_a_file_with_another_checksum_is_not_written(tmp_path: Path) -> None:
    outcome = one_outcome(tmp_path, Network(plain=CHANGED))
    assert outcome.differs
    assert outcome.path is None
    assert outcome.error is not None
    assert outcome.error.code == "RS099"
    assert PLAIN in outcome.error.problem
    assert "found 2 rows, 1 positive; expected 2 and 1" in outcome.error.found
    assert files_below(tmp_path) == []


def test_a_second_address_may_have_what_the_first_has_not(tmp_path: Path) -> None:
    outcome = one_outcome(tmp_path, Network(plain=CHANGED, archive=zipped(haberman_data=RAW)))
    assert outcome.error is None


def test_a_file_that_differs_is_kept_under_another_name_when_asked(tmp_path: Path) -> None:
    outcome = one_outcome(tmp_path, Network(plain=CHANGED), keep_unverified=True)
    assert outcome.differs
    assert "NOT VERIFIED" in outcome.words
    assert files_below(tmp_path) == ["uci/habr.csv.unverified"]
    assert (tmp_path / "uci" / "habr.csv.unverified").read_bytes() == MADE.replace(b"34,59", b"34,58")


def test_keeping_unverified_files_still_prefers_an_address_that_is_right(tmp_path: Path) -> None:
    network = Network(plain=CHANGED, archive=zipped(haberman_data=RAW))
    assert one_outcome(tmp_path, network, keep_unverified=True).error is None
    assert files_below(tmp_path) == ["uci/habr.csv"]


def test_another_file_in_the_way_is_replaced_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "uci" / "habr.csv"
    path.parent.mkdir()
    path.write_text("mine\n")
    outcome = one_outcome(tmp_path, Network(plain=RAW))
    assert outcome.error is not None
    assert outcome.error.code == "RS003"
    assert path.read_text() == "mine\n"
    assert one_outcome(tmp_path, Network(plain=RAW), overwrite=True).error is None
    assert path.read_bytes() == MADE
    path.unlink()
    path.mkdir()
    said = str(one_outcome(tmp_path, Network(plain=RAW), overwrite=True).error)
    assert "is a folder" in said
    assert "--overwrite" not in said  # it replaces no folder


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "habr.csv").write_bytes(MADE)
    monkeypatch.setattr(Path, "read_bytes", locked)
    outcome = one_outcome(tmp_path, Network(plain=RAW))
    assert outcome.error is not None
    assert outcome.error.code == "RS053"


def test_nothing_half_written_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    outcome = one_outcome(tmp_path, Network(plain=RAW))
    assert outcome.error is not None
    assert outcome.error.code == "RS055"
    assert "No space left on device" in outcome.error.problem
    assert files_below(tmp_path) == []


@pytest.mark.parametrize(
    "name", ["haberman.data", "HABERMAN.DATA", "deeper/haberman.data", "haberman+s+survival.zip"]
)
def test_originals_are_taken_from_a_folder(tmp_path: Path, name: str) -> None:
    source = tmp_path / "downloads"
    (source / name).parent.mkdir(parents=True)
    (source / name).write_bytes(zipped(haberman_data=RAW) if name.endswith("zip") else RAW)
    network = Network()
    outcome = one_outcome(tmp_path / "data", network, source=source)
    assert outcome.error is None
    assert network.asked == []
    assert files_below(tmp_path / "data") == ["uci/habr.csv"]


def test_an_original_that_is_not_in_the_folder_is_named_with_its_address(tmp_path: Path) -> None:
    outcome = one_outcome(tmp_path / "data", source=tmp_path)
    assert outcome.error is not None
    assert outcome.error.code == "RS051"
    assert "looked for haberman.data, haberman+s+survival.zip" in outcome.error.found
    assert PLAIN in "\n".join(outcome.lines())


def test_a_set_without_a_copy_is_said_to_have_none(tmp_path: Path) -> None:
    network = Network()
    outcome = one_outcome(tmp_path, network, of=unavailable()[0])
    assert outcome.error is not None
    assert outcome.error.code == "RS098"
    assert network.asked == []


def test_sets_are_named_by_their_abbreviations() -> None:
    assert named([]) == (*table_1(), *others())
    assert named(["mfeat-mor"]) == others()
    assert [one.abbr for one in named(["tic", "ads", "tic"])] == ["tic", "ads"]
    with pytest.raises(UsageError, match="did you mean habr") as caught:
        named(["haber"])
    assert caught.value.code == "RS001"


def test_every_address_is_https_and_archives_name_their_member() -> None:
    for one in (*table_1(), *others()):
        assert one.addresses
        for address in one.addresses:
            assert address.url.startswith("https://")
            assert address.url.endswith(".zip") == (address.member is not None)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command, knowing only the short set and the one without a copy."""
    monkeypatch.setattr(fetching, "table_1", lambda: (SHORT,))
    monkeypatch.setattr(fetching, "all_of_table_1", lambda: (SHORT, *unavailable()))
    monkeypatch.setattr(fetching, "others", tuple)

    def result(*options: str, network: Network | None = None) -> tuple[int, str, str]:
        code = fetching.main([str(tmp_path / "data"), *options], opener=network or Network())
        said = capsys.readouterr()
        return code, said.out, said.err

    return result


def test_the_command_says_what_happened_with_each_set(run: Run) -> None:
    code, out, err = run(network=Network(plain=RAW))
    assert (code, err) == (0, "")
    first, second, third, fourth = out.splitlines()
    assert first.startswith("habr      written to ")
    assert first.endswith("habr.csv (2 rows, checksum agrees)")
    assert second.startswith("ads       left out. Not available")
    assert third == "1 of 1 sets are in place and checked."
    assert fourth.startswith("use them:  python -m papers all --data ")


def test_the_command_goes_on_after_a_failure(run: Run) -> None:
    code, out, _ = run("ads", "habr", network=Network(plain=RAW))
    assert code == 3
    assert "ads       not fetched" in out
    assert "habr      written to" in out
    assert "1 of 2 sets" in out


@pytest.mark.parametrize("options", [(), ("--keep-unverified",)])
def test_a_checksum_that_differs_is_exit_code_1(run: Run, options: tuple[str, ...]) -> None:
    code, out, _ = run("ads", "habr", *options, network=Network(plain=CHANGED))
    assert code == 1  # although ads could not be had either
    assert "RS099" in out
    assert "0 of 2 sets" in out
    assert "use them" not in out


def test_an_unreachable_network_is_exit_code_3(run: Run) -> None:
    code, out, _ = run()
    assert code == 3
    assert "RS098" in out


def test_wrong_use_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    code, out, err = run("habbr")
    assert (code, out) == (2, "")
    assert "RS001" in err
    assert "did you mean habr?" in err
    code, _, err = run("--from", str(tmp_path / "nowhere"))
    assert code == 2
    assert "is no folder" in err


def test_the_command_takes_originals_from_a_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "haberman.data").write_bytes(RAW)
    code, out, _ = run("--from", str(tmp_path))
    assert code == 0
    assert "checksum agrees" in out


def test_only_the_folder_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fetching.main([])
    assert capsys.readouterr().err.endswith("the following arguments are required: DIR\n")


def test_names_of_folders_are_quoted_and_printable(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my data\x1b[2J"
    assert fetching.main([str(folder)], opener=Network(plain=RAW)) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.endswith("my data\\x1b[2J'\n")
    assert "\x1b" not in run("--from", str(folder) + "x")[2]


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal")
def test_a_reader_who_stops_ends_it_quietly(tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", fetching.__name__, str(tmp_path), "--from", str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
        assert started.wait() == -signal.SIGPIPE


# From the originals to the files.

SETS: dict[str, DataFile] = {one.abbr: one for one in (*table_1(), *others())}

# A few lines of each original as the repository has it, and what becomes of them.
PIECES: dict[str, tuple[str, str]] = {
    "prom": (
        "+,S10,\t\ttactagcaatacgcttgcgttcggtggttaagtatgtataatgcgcgggcttgtcgt\n"
        "-,867,\t\tatatgaacgttgagactgccgctgagttatcagctgtgaacgacattctggcgtcta\n",
        "t,a,c,t,a,g,c,a,a,t,a,c,g,c,t,t,g,c,g,t,t,c,g,g,t,g,g,t,t,a,a,g,t,a,t,g,t,a,t,a,a,t,g,c,g,c,g,g,g,c,"
        "t,t,g,t,c,g,t,1\n"
        "a,t,a,t,g,a,a,c,g,t,t,g,a,g,a,c,t,g,c,c,g,c,t,g,a,g,t,t,a,t,c,a,g,c,t,g,t,g,a,a,c,g,a,c,a,t,t,c,t,g,"
        "g,c,g,t,c,t,a,0\n",
    ),
    "echo": (
        "19,0,72,0,0.380,6,4.100,14,1.700,0.588,name,1,0\n"
        ",?,?,77,?,?,?,?,?,2,?,name,2,?\n"  # so it stands there, and has no class
        "0.5,1,62.529,1,0.070,20,5.200,24,2,0.857,name,1,1\n"
        ".03,1,?,0,0.26,19.4,4.77,21,2.1,0.714,name,2,1\n",
        "72.0,0,0.38,6.0,4.1,14,1.7,0\n62.529,1,0.07,20.0,5.2,24,2.0,1\n,0,0.26,19.4,4.77,21,2.1,1\n",
    ),
    "hepa": (
        "2,30,2,1,2,2,2,2,1,2,2,2,2,2,1.00,85,18,4.0,?,1\n2,50,1,1,2,1,2,2,1,2,2,2,2,2,0.90,135,42,3.5,?,1\n",
        "30,2,1,2,2,2,2,1,2,2,2,2,2,1.0,85,18,4.0,,1,0\n50,1,1,2,1,2,2,1,2,2,2,2,2,0.9,135,42,3.5,,1,0\n",
    ),
    "prks": (
        "name,MDVP:Fo(Hz),MDVP:Fhi(Hz),MDVP:Flo(Hz),MDVP:Jitter(%),MDVP:Jitter(Abs),MDVP:RAP,MDVP:PPQ,"
        "Jitter:DDP,MDVP:Shimmer,MDVP:Shimmer(dB),Shimmer:APQ3,Shimmer:APQ5,MDVP:APQ,Shimmer:DDA,NHR,HNR,"
        "status,RPDE,DFA,spread1,spread2,D2,PPE\n"
        "phon_R01_S50_6,214.28900,260.27700,77.97300,0.00567,0.00003,0.00295,0.00317,0.00885,0.01884,0.19000,"
        "0.01026,0.01161,0.01373,0.03078,0.04398,21.20900,0,0.462803,0.664357,-5.724056,0.190667,2.555477,"
        "0.148569\n",
        "214.289,260.277,77.973,0.00567,3e-05,0.00295,0.00317,0.00885,0.01884,0.19,0.01026,0.01161,0.01373,"
        "0.03078,0.04398,21.209,0.462803,0.664357,-5.724056,0.190667,2.555477,0.148569,0\n",
    ),
    "hart": (
        "70.0 1.0 4.0 130.0 322.0 0.0 2.0 109.0 0.0 2.4 2.0 3.0 3.0 2\n"
        "67.0 0.0 3.0 115.0 564.0 0.0 2.0 160.0 0.0 1.6 2.0 0.0 7.0 1\n",
        "70,1,4,130,322,0,2,109,0,2.4,2,3,3,1\n67,0,3,115,564,0,2,160,0,1.6,2,0,7,0\n",
    ),
    "hrth": (
        "28,1,2,130,132,0,2,185,0,0,?,?,?,0\n30,0,1,170,237,0,1,170,0,0,?,?,6,0\n"
        "47,1,4,150,226,0,0,98,1,1.5,2,0,7,1\n48,1,4,122,275,1,1,150,1,2,3,?,?,1\n",
        "28,male,atyp_angina,130,132,f,left_vent_hyper,185,no,0.0,,,,1\n"
        "30,female,typ_angina,170,237,f,st_t_wave_abnormality,170,no,0.0,,,fixed_defect,1\n"
        "47,male,asympt,150,226,f,normal,98,yes,1.5,flat,0,reversable_defect,0\n"
        "48,male,asympt,122,275,t,st_t_wave_abnormality,150,yes,2.0,down,,,0\n",
    ),
    "hors": (
        "2 1 530101 38.50 66 28 3 3 ? 2 5 4 4 ? ? ? 3 5 45.00 8.40 ? ? 2 2 11300 00000 00000 2 \n"
        "1 1 534817 39.2 88 20 ? ? 4 1 3 4 2 ? ? ? 4 2 50 85 2 2 3 2 02208 00000 00000 2 \n"
        "1 1 529893 38.00 86 24 4 3 4 1 2 4 4 1 1 ? 4 5 45.00 5.50 1 10.10 2 1 03111 00000 00000 1 \n",
        "2,1,38.5,66,28,3,3,,2,5,4,4,,,,3,5,45,8.4,,,0\n1,1,39.2,88,20,,,4,1,3,4,2,,,,4,2,50,85.0,2,2.0,0\n"
        "1,1,38.0,86,24,4,3,4,1,2,4,4,1,1,,4,5,45,5.5,1,10.1,1\n",
    ),
    "mfeat-mor": (
        " 1   0   0 133.150 1.31170 1620.20\n 1   0   0 126.720 1.30270 1609.30\n"
        " 1   0   0 131.170 1.31900 1569.00\n",
        "1,0,0,133.15,1.3117,1620.2,0\n1,0,0,126.72,1.3027,1609.3,0\n1,0,0,131.17,1.319,1569.0,0\n",
    ),
    "habr": ("30,64,1,1\n34,59,0,2\n", "30,64,1,0\n34,59,0,1\n"),
    "iono": (
        "1,0,0.99539,-0.05889,0.85243,0.02306,0.83398,-0.37708,1,0.03760,0.85243,-0.17755,0.59755,-0.44945,"
        "0.60536,-0.38223,0.84356,-0.38542,0.58212,-0.32192,0.56971,-0.29674,0.36946,-0.47357,0.56811,-0.51171,"
        "0.41078,-0.46168,0.21266,-0.34090,0.42267,-0.54487,0.18641,-0.45300,g\n",
        "1,0,0.99539,-0.05889,0.85243,0.02306,0.83398,-0.37708,1,0.0376,0.85243,-0.17755,0.59755,-0.44945,"
        "0.60536,-0.38223,0.84356,-0.38542,0.58212,-0.32192,0.56971,-0.29674,0.36946,-0.47357,0.56811,-0.51171,"
        "0.41078,-0.46168,0.21266,-0.3409,0.42267,-0.54487,0.18641,-0.453,1\n",
    ),
    "vots": (
        "democrat,n,n,y,n,n,n,y,y,n,y,y,n,n,n,y,?\nrepublican,n,?,n,y,y,y,n,n,n,n,y,y,y,y,n,y\n",
        "n,n,y,n,n,n,y,y,n,y,y,n,n,n,y,,0\nn,,n,y,y,y,n,n,n,n,y,y,y,y,n,y,1\n",
    ),
    "jcrx": (
        "b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+\n?,29.50,2,y,p,e,h,2,f,f,0,f,g,00256,17,-\n",
        "b,30.83,0,u,g,w,v,1.25,t,t,1,f,g,202,0,1\n,29.5,2,y,p,e,h,2.0,f,f,0,f,g,256,17,0\n",
    ),
    "aust": (
        "1 22.08 11.46 2 4 4 1.585 0 0 0 1 2 100 1213 0\n0 22.67 7 2 8 4 0.165 0 0 0 0 2 160 1 0\n"
        "1 17.08 0.08500 1 8 4 0.04 0 0 0 0 2 140 723 0\n1 47.67 0.29 2 8 5 15 1 1 20 0 2 0 15001 1\n",
        "1,22.08,11.46,2,4,4,1.585,0,0,0,1,2,100,1213,0\n0,22.67,7.0,2,8,4,0.165,0,0,0,0,2,160,1,0\n"
        "1,17.08,0.085,1,8,4,0.04,0,0,0,0,2,140,723,0\n1,47.67,0.29,2,8,5,15.0,1,1,20,0,2,0,15001,1\n",
    ),
    "wisc": (
        "1000025,5,1,1,1,2,1,3,1,1,2\n1017122,8,10,10,8,7,10,9,7,1,4\n1057013,8,4,5,1,2,?,7,3,1,4\n",
        "5,1,1,1,2,1,3,1,1,0\n8,10,10,8,7,10,9,7,1,1\n8,4,5,1,2,,7,3,1,1\n",
    ),
    "blod": (
        'Recency (months),Frequency (times),Monetary (c.c. blood),Time (months),"whether he/she donated blood in '
        'March 2007"\r\n2 ,50,12500,98 ,1\r\n23 ,19,4750,62 ,0\r\n',
        "2,50,12500,98,1\n23,19,4750,62,0\n",
    ),
    "diab": (
        "6,148,72,35,0,33.6,0.627,50,1\n1,85,66,29,0,26.6,0.351,31,0\n",
        "6,148,72,35,0,33.6,0.627,50,1\n1,85,66,29,0,26.6,0.351,31,0\n",
    ),
    "mamo": (
        "5,67,3,5,3,1\n6,63,1,1,3,0\n4,43,1,1,?,1\n0,45,2,4,3,0\n5,48,?,4,?,1\n4,64,1,1,3,0\n",
        "5,67,3,5,3,1\n4,43,1,1,,1\n5,48,,4,,1\n4,64,1,1,3,0\n",
    ),
    "tic": (
        "x,x,x,x,o,o,x,o,o,positive\no,o,x,x,x,o,o,x,x,negative\n",
        "x,x,x,x,o,o,x,o,o,1\no,o,x,x,x,o,o,x,x,0\n",
    ),
    "ger": (
        "A11 6 A34 A43 1169 A65 A75 4 A93 A101 4 A121 67 A143 A152 2 A173 1 A192 A201 1\n"
        "A12 48 A32 A43 5951 A61 A73 2 A92 A101 2 A121 22 A143 A152 1 A173 1 A191 A201 2\n",
        "A11,6,A34,A43,1169,A65,A75,4,A93,A101,4,A121,67,A143,A152,2,A173,1,A192,A201,1\n"
        "A12,48,A32,A43,5951,A61,A73,2,A92,A101,2,A121,22,A143,A152,1,A173,1,A191,A201,0\n",
    ),
    "oz8h": (
        "11/25/2004,0.5,1.3,0.4,0.1,0.4,0.1,0.4,0.2,0.4,1.5,0.9,0.5,0.5,0.3,1,1.8,2.5,2.6,2.1,1.7,1.3,0.9,1,0.8,"
        "2.6,1,7.7,7.4,7.3,8.1,7.5,7.3,7.4,7.3,7.7,9.6,11,12.3,13.5,14.6,15.6,15.8,15.4,13.3,11.9,10.9,10.3,9.9,"
        "9.7,9.4,15.8,10.5,5.9,0.32,9.44,-11.94,1467.5,1.4,0.07,21.89,-2.88,3043.5,-16.1,0.05,?,?,5660,-16.6,"
        "28.5,10165,125,0,0.\n",
        "0.5,1.3,0.4,0.1,0.4,0.1,0.4,0.2,0.4,1.5,0.9,0.5,0.5,0.3,1,1.8,2.5,2.6,2.1,1.7,1.3,0.9,1,0.8,"
        "2.6,1,7.7,7.4,7.3,8.1,7.5,7.3,7.4,7.3,7.7,9.6,11,12.3,13.5,14.6,15.6,15.8,15.4,13.3,11.9,10.9,10.3,9.9,"
        "9.7,9.4,15.8,10.5,5.9,0.32,9.44,-11.94,1467.5,1.4,0.07,21.89,-2.88,3043.5,-16.1,0.05,,,5660,-16.6,"
        "28.5,10165,125,0,0\n",
    ),
    "chss": (
        "f,f,f,f,f,f,f,f,f,f,f,f,l,f,n,f,f,t,f,f,f,f,f,f,f,t,f,f,f,f,f,f,f,t,t,n,won\n"
        "t,f,t,f,f,f,t,f,f,f,f,t,l,t,b,t,f,t,f,f,f,f,f,t,f,t,f,f,t,f,f,t,f,f,f,n,nowin\n",
        "f,f,f,f,f,f,f,f,f,f,f,f,l,f,n,f,f,t,f,f,f,f,f,f,f,t,f,f,f,f,f,f,f,t,t,n,1\n"
        "t,f,t,f,f,f,t,f,f,f,f,t,l,t,b,t,f,t,f,f,f,f,f,t,f,t,f,f,t,f,f,t,f,f,f,n,0\n",
    ),
    "spam": (
        "0,0,0.65,0,0,0,0,0,0,0,0,0,0.65,0,0,0,0,0,4.6,0,0.65,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1.97,"
        "0.65,0,0,0,0,0,0.125,0,0,1.25,5,40,0\r\n",
        "0,0,0.65,0,0,0,0,0,0,0,0,0,0.65,0,0,0,0,0,4.6,0,0.65,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1.97,"
        "0.65,0,0,0,0,0,0.125,0,0,1.25,5,40,0\n",
    ),
    "mush": (
        "p,x,s,n,t,p,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u\ne,x,s,n,f,n,a,c,b,y,e,?,s,s,o,o,p,o,o,p,o,c,l\n",
        "x,s,n,t,p,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u,1\nx,s,n,f,n,a,c,b,y,e,,s,s,o,o,p,o,o,p,o,c,l,0\n",
    ),
    "mgic": (
        "28.7967,16.0021,2.6449,0.3918,0.1982,27.7004,22.011,-8.2027,40.092,81.8828,g\n",
        "28.7967,16.0021,2.6449,0.3918,0.1982,27.7004,22.011,-8.2027,40.092,81.8828,1\n",
    ),
    "adlt": (
        "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, "
        "40, United-States, <=50K\n"
        "54, ?, 180211, Some-college, 10, Married-civ-spouse, ?, Husband, Asian-Pac-Islander, Male, 0, 0, 60, "
        "South, >50K\n\n",
        "39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,"
        "United-States,0\n"
        "54,,180211,Some-college,10,Married-civ-spouse,,Husband,Asian-Pac-Islander,Male,0,0,60,South,1\n",
    ),
}
PIECES["oz1h"] = PIECES["oz8h"]


def cells(text: str) -> list[tuple[object, ...]]:
    """The rows, with numbers as numbers: 4 in a piece may be 4.0 in the whole file."""
    return [tuple(number_or_text(cell) for cell in line.split(",")) for line in text.splitlines()]


def number_or_text(cell: str) -> object:
    try:
        return float(cell)
    except ValueError:
        return cell


def test_every_set_has_a_layout_and_a_piece() -> None:
    assert set(LAYOUTS) == set(PIECES) == set(SETS)


@pytest.mark.parametrize("abbr", PIECES)
def test_a_piece_of_the_original_becomes_the_rows_of_the_file(abbr: str) -> None:
    raw, expected = PIECES[abbr]
    header, rows = normalised(raw.encode(), SETS[abbr]).decode().split("\n", maxsplit=1)
    assert rows == expected
    assert header == ",".join([*SETS[abbr].features, SETS[abbr].class_column])


@pytest.mark.parametrize("abbr", PIECES)
def test_the_rows_of_the_pieces_stand_in_the_real_file_in_that_order(abbr: str, data_folder: Path) -> None:
    whole = cells((data_folder / "uci" / str(SETS[abbr].file)).read_text())
    places = []
    for row in cells(PIECES[abbr][1]):
        after = places[-1] + 1 if places else 1
        assert row in whole[after:]
        places.append(whole.index(row, after))


def rebuilt(of: DataFile, csv: str) -> str:
    """An original from the file: every number spelled at length, lines ended as on Windows."""
    layout = LAYOUTS[of.abbr]
    lines = ["a line that names the fields"] if layout.header else []
    for line in csv.splitlines()[1:]:
        *features, label = line.split(",")
        features = ["".join(features)] if layout.spelled else features
        fields = ["0"] * layout.n_fields
        for place, cell in zip(layout.features, features, strict=True):
            codes = {name: code for code, name in layout.names.get(place, {}).items()}
            number = number_or_text(cell)
            at_length = f"{number:.9f}" if isinstance(number, float) else cell or "?"
            fields[place] = codes.get(cell, at_length)
        if layout.label is not None:
            fields[layout.label] = layout.positive if label == "1" else layout.negative
        lines.append((layout.separator or "  ").join(fields))
    return "\r\n".join(lines) + "\r\n"


SMALL = [*(one.abbr for one in table_1() if one.n <= 1000), *(one.abbr for one in others())]


@pytest.mark.parametrize("abbr", SMALL)
def test_the_real_file_comes_back_byte_for_byte(abbr: str, data_folder: Path) -> None:
    content = (data_folder / "uci" / str(SETS[abbr].file)).read_bytes()
    assert SETS[abbr].holds(content)
    assert normalised(rebuilt(SETS[abbr], content.decode()).encode(), SETS[abbr]) == content


@pytest.mark.parametrize("one", table_1(), ids=lambda one: one.abbr)
def test_what_is_stored_of_a_set_is_true_of_its_file(one: Set, data_folder: Path) -> None:
    content = (data_folder / "uci" / str(one.file)).read_bytes()
    header, *rows = [line.split(",") for line in content.decode().splitlines()]
    assert hashlib.sha256(content).hexdigest() == one.sha256
    assert header == [*one.features, "class"]
    assert (len(rows), sum(row[-1] == "1" for row in rows)) == (one.n, one.n_positives)
    assert sum(cell == "" for row in rows for cell in row) == one.n_missing
    numeric = [place for place in range(len(one.features)) if place not in one.nominal_columns]
    assert all(
        isinstance(number_or_text(row[place]), float) for row in rows for place in numeric if row[place]
    )


def test_table_1_is_complete_and_says_where_a_copy_differs() -> None:
    assert len(all_of_table_1()) == 26
    assert [one.abbr for one in unavailable()] == ["ads"]
    for one in table_1():
        printed = one.printed
        same = (one.n, one.n_positives, one.n_negatives, len(one.features)) == (
            printed.n, printed.positives, printed.negatives, printed.features
        )  # fmt: skip
        assert same != bool(one.differs), one.abbr
        assert set(one.nominal) <= set(one.features)
        assert round(100 * printed.positives / printed.n) == printed.percent_positive
    assert [one.abbr for one in table_1() if one.differs] == ["echo", "hors", "mush", "adlt"]


def test_digits_come_in_order_and_are_no_set_of_table_1(data_folder: Path) -> None:
    (digits,) = others()
    assert digits.abbr not in {one.abbr for one in all_of_table_1()}
    content = (data_folder / "uci" / str(digits.file)).read_bytes()
    header, *rows = [line.split(",") for line in content.decode().splitlines()]
    assert header == [*digits.features, "digit"]
    assert [int(row[-1]) for row in rows] == [n // 200 for n in range(digits.n)]
    swapped = rebuilt(digits, content.decode()).splitlines(keepends=True)
    swapped[:1], swapped[-1:] = swapped[-1:], swapped[:1]
    assert not digits.holds(normalised("".join(swapped).encode(), digits))


def test_an_arff_file_and_spelled_out_classes_are_understood() -> None:
    raw = (
        "\N{ZERO WIDTH NO-BREAK SPACE}% a comment\n@relation pima\n@attribute preg real\n@DATA\n"
        "6,148,72,35,0,33.6,0.627,50,tested_positive\n% another\n1,85,66,29,0,26.6,0.351,31,tested_negative\n"
    )
    assert normalised(raw.encode(), SETS["diab"]).decode().splitlines()[1:] == PIECES["diab"][1].splitlines()


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("<html><body>Not found</body></html>", "line 1 has 1 fields, not 4"),
        ("30,64,1,1\n30,62,3\n", "line 2 has 3 fields, not 4"),
        ("30,64,1,3\n", "line 1: '3' is no class"),
        ("30,64,1,?\n", "line 1: '\\?' is no class"),
        ("\n\n", "no rows"),
        ("\x89PNG\r\n\x1a", "fields, not 4"),
    ],
)
def test_another_file_is_refused_with_the_line_at_fault(raw: str, found: str) -> None:
    with pytest.raises(FileError, match=found) as caught:
        normalised(raw.encode("latin-1"), SETS["habr"])
    assert caught.value.code == "RS053"


def test_words_of_unlike_length_are_refused() -> None:
    with pytest.raises(FileError, match="rows of different lengths"):
        normalised(b"+,S10,tact\n-,867,tac\n", SETS["prom"])
    with pytest.raises(FileError, match="4 features, not 57"):
        normalised(b"+,S10,tact\n", SETS["prom"])


def test_a_word_among_numbers_leaves_the_column_as_it_is() -> None:
    # then the checksum differs, and the file is not used
    rows = normalised(b"30,64,nan,1\n34,59,07,2\n", SETS["habr"]).decode().splitlines()[1:]
    assert rows == ["30,64,nan,0", "34,59,07,1"]
