"""Fetching the data of Table 1, with a network of the tests' own making: nothing here leaves the machine."""

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

from papers.smroc.fetching import __main__ as command
from papers.smroc.fetching import fetch as fetching
from papers.smroc.fetching import originals
from papers.smroc.fetching.fetch import Outcome, fetch, named
from papers.smroc.sets import DataFile, others, table_1, unavailable
from rocsteady.errors import UsageError

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
    monkeypatch.setattr(originals, "LARGEST", len(RAW) - 1)
    outcome = one_outcome(tmp_path, Network(plain=RAW, archive=RAW))
    assert outcome.error is not None
    assert outcome.error.found.count("nothing so large was expected") == 2
    monkeypatch.setattr(originals, "LARGEST", len(RAW))
    monkeypatch.setattr(originals, "SECONDS_IN_ALL", -1)
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
    monkeypatch.setattr(originals, "LARGEST", 50_000)
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
        code = command.main([str(tmp_path / "data"), *options], opener=network or Network())
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
        command.main([])
    assert capsys.readouterr().err.endswith("the following arguments are required: DIR\n")


def test_names_of_folders_are_quoted_and_printable(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my data\x1b[2J"
    assert command.main([str(folder)], opener=Network(plain=RAW)) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.endswith("my data\\x1b[2J'\n")
    assert "\x1b" not in run("--from", str(folder) + "x")[2]


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal")
def test_a_reader_who_stops_ends_it_quietly(tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", command.__package__, str(tmp_path), "--from", str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
        assert started.wait() == -signal.SIGPIPE
