"""Download of packages from a loopback server that breaks connections, is busy, and gives wrong bytes."""

import fcntl
import hashlib
import os
from collections import Counter
from types import SimpleNamespace

import pytest
import urllib3
from commands import sera
from download_server import BASE, INCR, NAMES, OTHER, content, fetch

from sera.corpora.pmc_oa_download import TABLE, download, read_catalogue
from sera.errors import InputError
from sera.io import limits
from sera.io.download import Client, Failure, PackageFile

NAME = NAMES[1]
WHOLE = content(NAME)


@pytest.fixture
def two(server):
    """A server of one package and its list."""
    server.add(*NAMES[:2])
    return server


def kept(folder):
    """The names in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def test_packages_and_lists_of_the_groups_are_fetched_and_written_down(server, tmp_path):
    server.add(*NAMES, f"{BASE}.filelist.txt", "notes.tar.gz", f"x{BASE}.tar.gz")
    server.add(f"{OTHER}.tar.gz", group="oa_other")
    files = fetch(tmp_path, server, groups=["oa_other", "oa_comm"])
    expected = sorted([*NAMES, f"{OTHER}.tar.gz"])
    assert [each.file for each in files] == expected
    assert kept(tmp_path) == sorted([*expected, TABLE])
    assert all((tmp_path / name).read_bytes() == content(name) for name in expected)
    lines = (tmp_path / TABLE).read_text().splitlines()
    assert lines[0] == "file\tsize\tsha256\tmd5\turl"
    digest = hashlib.sha256(content(NAMES[0])).hexdigest()
    assert lines[1] == f"{NAMES[0]}\t300000\t{digest}\t\t{server.address}/oa_comm/xml/{NAMES[0]}"
    assert read_catalogue(tmp_path / TABLE) == files


def test_what_is_there_is_not_fetched_again_and_what_is_new_is(two, tmp_path):
    first = fetch(tmp_path, two)
    two.asked.clear()
    assert fetch(tmp_path, two) == first
    assert two.asked == [("GET", "/bulk/oa_comm/xml/", "")]
    two.add(*NAMES)
    assert [each.file for each in fetch(tmp_path, two)] == NAMES
    assert {name for _, name, _ in two.asked[1:]} == {"/bulk/oa_comm/xml/", *NAMES[2:]}


def test_a_file_put_there_by_hand_is_taken_if_its_size_is_the_servers(two, tmp_path):
    (tmp_path / NAMES[0]).write_bytes(content(NAMES[0]))
    (tmp_path / NAMES[1]).write_bytes(content(NAMES[1])[:1000])
    files = fetch(tmp_path, two)
    assert files[0].sha256 == hashlib.sha256(content(NAMES[0])).hexdigest()
    assert two.of(NAMES[0]) == [] and two.of(NAMES[0], "HEAD") == [""]
    assert two.of(NAMES[1]) == [""]
    assert (tmp_path / NAMES[1]).read_bytes() == content(NAMES[1])


def test_a_broken_connection_is_resumed_where_it_broke(two, tmp_path):
    # more breaks than tries: each of them gained something
    two.cut[NAMES[1]] = [100_000, 50_000, 1, 1, 1, 1, 100_000]
    fetch(tmp_path, two, tries=2)
    assert (tmp_path / NAMES[1]).read_bytes() == content(NAMES[1])
    starts = [0, 100_000, 150_000, 150_001, 150_002, 150_003, 150_004, 250_004]
    assert two.of(NAMES[1]) == ["", *(f"bytes={start}-" for start in starts[1:])]
    assert kept(tmp_path) == sorted([*NAMES[:2], TABLE])


def test_a_server_that_is_busy_or_hangs_up_is_asked_again_and_given_up_after_the_tries(server, tmp_path):
    server.add(*NAMES)
    server.busy = Counter({"/bulk/oa_comm/xml/": 2, NAMES[0]: 3, NAMES[1]: 1000})
    server.hang_up = Counter({NAMES[2]: 3})
    with pytest.raises(InputError, match=f"1 of 4 files.*{NAMES[1]}: .*503.*continues the download"):
        fetch(tmp_path, server)
    assert [len(server.of(name)) for name in NAMES] == [4, 4, 4, 1]
    assert kept(tmp_path) == sorted([NAMES[0], *NAMES[2:], TABLE])
    server.busy.clear()
    fetch(tmp_path, server)
    assert len(server.of(NAMES[0])) == 4
    assert (tmp_path / NAMES[1]).read_bytes() == content(NAMES[1])


def test_a_download_that_was_given_up_goes_on_in_the_next_run(two, tmp_path):
    two.cut[NAMES[1]] = [200_000, 0]
    with pytest.raises(InputError, match="1 of 2"):
        fetch(tmp_path, two, tries=2)
    assert (tmp_path / f".{NAMES[1]}.part").stat().st_size == 200_000
    assert not (tmp_path / NAMES[1]).exists()
    two.asked.clear()
    fetch(tmp_path, two)
    assert two.of(NAMES[1]) == ["bytes=200000-"]
    assert (tmp_path / NAMES[1]).read_bytes() == content(NAMES[1])


def test_a_file_that_changed_meanwhile_is_fetched_from_its_beginning(two, tmp_path):
    two.cut[NAMES[1]] = [200_000, 0]
    with pytest.raises(InputError):
        fetch(tmp_path, two, tries=2)
    two.tag, new = '"two"', content("new", 250_000)
    two.files[f"/bulk/oa_comm/xml/{NAMES[1]}"] = new
    fetch(tmp_path, two)
    assert (tmp_path / NAMES[1]).read_bytes() == new


def test_one_broken_off_after_its_last_byte_is_not_fetched_again(two, tmp_path):
    (tmp_path / f".{NAMES[1]}.part").write_bytes(content(NAMES[1]))
    fetch(tmp_path, two)
    assert two.of(NAMES[1]) == ["bytes=300000-"]
    assert (tmp_path / NAMES[1]).read_bytes() == content(NAMES[1])


def test_a_server_without_ranges_is_asked_for_the_whole_again(two, tmp_path):
    two.ranges = False
    two.cut[NAMES[1]] = [200_000]
    fetch(tmp_path, two)
    assert (tmp_path / NAMES[1]).read_bytes() == content(NAMES[1])


def sums(kind):
    return {name: getattr(hashlib, kind)(content(name)).hexdigest() for name in NAMES}


@pytest.mark.parametrize(
    ("kind", "name", "form"),
    [
        ("md5", "MD5SUMS", "{sum}  {name}\n"),
        ("sha256", "sha256sums.txt", "{sum} *./{name}\n"),
        ("sha256", "SHA256", "SHA256 ({name}) = {sum}\n"),
    ],
)
def test_checksums_that_the_server_gives_are_checked(server, tmp_path, kind, name, form):
    server.add(*NAMES)
    right = sums(kind)
    wrong = right | {NAMES[1]: "0" * len(right[NAMES[1]])}
    path = f"/bulk/oa_comm/xml/{name}"
    server.files[path] = "".join(form.format(sum=s, name=n) for n, s in wrong.items()).encode()
    with pytest.raises(
        InputError, match=f"1 of 4 files.*{NAMES[1]}: the (MD5|SHA-256) is {right[NAMES[1]]}, not 0000"
    ):
        fetch(tmp_path, server)
    assert len(server.of(NAMES[1])) == 2  # once more, in case the network was to blame
    assert not (tmp_path / NAMES[1]).exists()
    server.files[path] = "".join(form.format(sum=s, name=n) for n, s in right.items()).encode()
    files = fetch(tmp_path, server)
    assert {each.file: getattr(each, kind) for each in files} == right


def test_a_checksum_beside_each_file_is_checked_and_a_spoilt_file_fetched_anew(two, tmp_path):
    for name in NAMES[:2]:
        two.files[f"/bulk/oa_comm/xml/{name}.md5"] = hashlib.md5(content(name)).hexdigest().encode()
    (tmp_path / f".{NAMES[1]}.part").write_bytes(b"spoilt")
    (tmp_path / NAMES[0]).write_bytes(bytes(300_000))
    fetch(tmp_path, two)
    assert [(tmp_path / name).read_bytes() == content(name) for name in NAMES[:2]] == [True, True]


def test_no_more_are_fetched_at_once_than_allowed(server, tmp_path):
    names = [f"oa_comm_xml.PMC00{n}xxxxxx.baseline.2024-12-18.tar.gz" for n in range(8)]
    server.add(*names)
    server.slow = 0.05
    fetch(tmp_path / "3", server, at_once=3)
    assert server.most == 3
    server.most = 0
    fetch(tmp_path / "1", server, at_once=1)
    assert server.most == 1


def test_a_table_fetches_exactly_its_files_and_refuses_others(server, tmp_path):
    server.add(*NAMES)
    fetch(tmp_path / "a", server)
    table = tmp_path / "a" / TABLE
    assert download(tmp_path / "b", table=table, pause=0.0) == read_catalogue(table)
    assert (tmp_path / "b" / TABLE).read_bytes() == table.read_bytes()
    changed = f"/bulk/oa_comm/xml/{NAMES[3]}"
    server.files[changed] = server.files[changed][:-1] + b"?"
    with pytest.raises(InputError, match=f"1 of 4 files.*{NAMES[3]}: the SHA-256 is .*, not "):
        download(tmp_path / "c", table=table, pause=0.0)
    server.files[changed] += b"!"
    with pytest.raises(InputError, match="the server has 300001 bytes, not 300000"):
        download(tmp_path / "c", table=table, pause=0.0)


def test_a_table_can_lie_on_the_server_and_name_no_addresses(server, tmp_path):
    server.add(*NAMES)
    server.files["/bulk/files.tsv"] = f"file\tmd5\n{NAMES[1]}\t{sums('md5')[NAMES[1]]}\n".encode()
    files = fetch(tmp_path, server, table=f"{server.address}/files.tsv")
    digest = hashlib.sha256(content(NAMES[1])).hexdigest()
    url = f"{server.address}/oa_comm/xml/{NAMES[1]}"
    assert files == [PackageFile(NAMES[1], 300_000, digest, sums("md5")[NAMES[1]], url)]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("../up.tar.gz\t\t\t\thttp://x/", "not a file's plain name"),
        ("packages.tsv\t\t\t\t", "not a file's plain name"),
        ("a.tar.gz\t1.2G\t\t\t", "'1.2G' is not a number of bytes"),
        ("a.tar.gz\t\tabc\t\t", "'abc' is not a SHA-256"),
        ("a.tar.gz\t\t\tabc\t", "'abc' is not an MD5"),
        ("b.tar.gz\t\t\t\t", "b.tar.gz is there twice"),
        ("a" * 201 + "\t\t\t\t", "not a file's plain name"),
        ("a.tar.gz\t" + "9" * 5000 + "\t\t\t", "is not a number of bytes"),
        ("a.tar.gz\t3", "has 2 cells, not 5"),
        ("a.tar.gz\t\t\t\thttp://[", "a.tar.gz has no usable address"),
        ("a.tar.gz\t\t\t\tftp://x/a", "a.tar.gz has no usable address"),
        ("a.tar.gz\t\t\t\thttp://x/\x1b[2J", "has a blank or a control character in it"),
        ("a.tar.gz\t\t\t\thttps://me:hush@x/a", "has a user or a password in it"),
        ("a.tar.gz\t\t\t\t", "a.tar.gz has no usable address"),
    ],
)
def test_a_wrong_table_is_told_with_its_line(tmp_path, row, problem):
    table = tmp_path / "t.tsv"
    table.write_text(f"file\tsize\tsha256\tmd5\turl\nb.tar.gz\t\t\t\thttp://127.0.0.1/b\n{row}\n")
    with pytest.raises(InputError, match=problem) as caught:
        download(tmp_path / "out", table=table)
    assert caught.value.line == 3
    assert "hush" not in str(caught.value) and len(str(caught.value)) < 600


def test_all_faults_of_a_table_are_said_together(tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text("file\tsize\turl\na b\t\t\n\nb\tx\t\nc\t\tnowhere\n")
    with pytest.raises(InputError, match="line 2: 'a b' .*line 4: .*'x' .*line 5: .*'nowhere'") as caught:
        download(tmp_path / "out", table=table)
    assert caught.value.path == table


def test_what_cannot_be_listed_is_told(server, tmp_path):
    with pytest.raises(InputError, match="no group 'oa_com'.*oa_comm"):
        fetch(tmp_path, server, groups=["oa_com"])
    with pytest.raises(InputError, match="oa_comm/xml/: cannot be read: the server answers 404"):
        fetch(tmp_path, server)
    server.add("readme.txt")
    with pytest.raises(InputError, match="no package of oa_comm"):
        fetch(tmp_path, server)
    with pytest.raises(InputError, match="cannot be read"):
        download(tmp_path, server="http://127.0.0.1:9/bulk", pause=0.0, tries=2)


def test_links_that_lead_out_of_the_folder_are_passed_over(server, tmp_path):
    server.add(*NAMES[:2], f"../../{INCR}.tar.gz", f"..%2f{INCR}.tar.gz", f"/etc/{BASE}.tar.gz")
    assert [each.file for each in fetch(tmp_path / "in", server)] == NAMES[:2]
    assert {name for _, name, _ in server.asked[1:]} == set(NAMES[:2])
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_command_line(server, tmp_path):
    server.add(*NAMES)
    given = ("corpus", "download", tmp_path, "--server", server.address, "--groups")
    printed = sera(*given, "oa_comm", "--baseline-only")
    assert printed.endswith(f"2 files, 600000 bytes, in {tmp_path}\n")
    assert kept(tmp_path) == [*NAMES[:2], TABLE]
    assert "there is no group 'oa_else'" in sera(*given, "oa_comm,oa_else", code=2)


# Servers that do anything


def raw(status=200, body=b"", *headers):
    return "\r\n".join([f"HTTP/1.1 {status} Reason", *headers]).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (raw(200, WHOLE, "Content-Length: x"), "the server does not say how large it is"),
        (raw(200, WHOLE, "Content-Length: 5", "Content-Length: 7"), "Content-Length"),
        (raw(206, WHOLE, "Content-Range: bytes x"), "the server cannot continue the file"),
        (raw(206, WHOLE, "Content-Range: bytes 5-9/300000"), "the server cannot continue the file"),
        (raw(200, b"5\r\nab", "Transfer-Encoding: chunked"), "IncompleteRead|broken"),
        (raw(301, b"", "Location: http://["), "an address cannot be used"),
        (raw(301, b"", "Location: file:///etc/passwd"), "an address cannot be used"),
        (raw(302, b"", f"Location: {NAME}"), "too many redirects"),
        (raw(302), "the server answers 302"),
        (raw(404, b"", "Content-Length: 0"), "the server answers 404"),
        (b"HTTP/1.1 404 \x1b[2J\r\n\r\n", r"answers 404 \\x1b\[2J"),
        (b"nonsense\r\n\r\n", "BadStatusLine|nonsense"),
    ],
)
def test_answers_that_are_none(two, tmp_path, caplog, answer, problem):
    two.raw[NAME] = [answer]
    with pytest.raises(InputError, match=f"1 of 2 files.*{NAME}: .*({problem})") as caught:
        fetch(tmp_path, two, tries=2)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 1000
    said = [record.getMessage() for record in caplog.records if record.name.startswith("sera.")]
    assert not any("\x1b" in text for text in said)
    two.raw.clear()
    fetch(tmp_path, two)
    assert (tmp_path / NAME).read_bytes() == WHOLE


def test_a_part_of_the_rest_is_not_taken_for_the_whole(two, tmp_path):
    (tmp_path / f".{NAME}.part").write_bytes(WHOLE[:100])
    two.raw[NAME] = [raw(206, WHOLE[100:300], "Content-Range: bytes 100-299/300000", "Content-Length: 200")]
    with pytest.raises(InputError, match="300 bytes came, not 300000|cannot continue"):
        fetch(tmp_path, two, tries=1)
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize("length", ["x", ""])
def test_a_file_that_is_there_and_whose_size_nobody_knows_is_fetched(two, tmp_path, length):
    (tmp_path / NAME).write_bytes(WHOLE[:100])
    whole = raw(200, WHOLE, "Content-Length: 300000")
    two.raw[NAME] = [raw(200, b"", f"Content-Length: {length}"), whole]
    fetch(tmp_path, two)
    assert (tmp_path / NAME).read_bytes() == WHOLE


def test_a_redirect_from_https_to_http_is_refused(monkeypatch):
    retries = urllib3.Retry().increment(
        "GET", "https://x/", response=urllib3.HTTPResponse(status=302, headers={"Location": "http://x/"})
    )
    answer = urllib3.HTTPResponse(status=200, retries=retries)
    pool = SimpleNamespace(request=lambda *_, **__: answer)
    monkeypatch.setattr("sera.io.download._pool", lambda proxy: pool)
    with pytest.raises(Failure, match="from https to http"):
        Client().ask("GET", "https://x/")


def test_a_redirect_to_another_host_is_followed(two, tmp_path):
    there = two.address.replace("127.0.0.1", "localhost")
    two.raw[NAME] = [raw(302, b"", f"Location: {there}/oa_comm/xml/x{NAME}")]
    two.files[f"/bulk/oa_comm/xml/x{NAME}"] = WHOLE
    fetch(tmp_path, two)
    assert (tmp_path / NAME).read_bytes() == WHOLE


def test_pages_and_lists_are_bounded(two, tmp_path, monkeypatch):
    monkeypatch.setattr(limits.ANSWER, "usual", 2000)
    two.files["/bulk/oa_comm/xml/MD5SUMS"] = b"0" * 2001
    with pytest.raises(InputError, match="MD5SUMS: .* over the limit of 2000 bytes"):
        fetch(tmp_path, two)


def test_links_of_any_form(two, tmp_path):
    links = f"""<A class=x HREF='{NAMES[0]}'>x</A> <a href={NAME}> <a href="http://["> <a href=''> <a>"""
    links += (
        f'<a href="oa&#95;comm_xml.incr.2024-12-1\u0669.tar.gz"><a href=".{NAME}.part"><a href="{NAME}?x">'
    )
    two.raw["/bulk/oa_comm/xml/"] = [raw(200, links.encode())]
    assert [each.file for each in fetch(tmp_path, two)] == NAMES[:2]


@pytest.mark.parametrize("address", ["http://[", "ftp://x/bulk", "http://me:hush@x/", "http://x y/"])
def test_addresses_of_servers_and_tables_that_are_none(tmp_path, address):
    for arguments in ({"server": address}, {"server": "http://x", "table": address}):
        with pytest.raises(InputError, match="the address of the server") as caught:
            download(tmp_path, tries=1, **arguments)
        assert "hush" not in str(caught.value) and str(caught.value).isprintable()


def test_a_proxy_that_cannot_be_used(server, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", "ftp://me:hush@proxy")
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(InputError, match="the environment's proxy .*does not begin") as caught:
        fetch(tmp_path, server)
    assert "hush" not in str(caught.value)


def test_waiting_is_as_the_server_asks_and_bounded(two, monkeypatch):
    after = ("7", "9" * 40, "-3", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "soon")
    two.raw["/bulk/oa_comm/xml/"] = [raw(503, b"", f"Retry-After: {each}") for each in after]
    two.raw["/bulk/oa_comm/xml/"].append(raw(200, b"page"))
    waits = []
    client = Client(8, 1.0)
    monkeypatch.setattr(client.stop, "wait", waits.append)
    assert client.page(f"{two.address}/oa_comm/xml/") == b"page"
    assert waits == [7, 300, 2, 4, 300, 16]


# Files in the folder


@pytest.mark.parametrize("kind", ["link", "dangling link", "folder", "pipe"])
def test_what_has_the_name_of_a_file_is_kept(two, tmp_path, kind):
    folder, mine = tmp_path / "in", tmp_path / "mine"
    folder.mkdir()
    mine.write_bytes(b"my own")
    target = folder / NAME
    {
        "link": lambda: target.symlink_to(mine),
        "dangling link": lambda: target.symlink_to(tmp_path / "none"),
        "folder": target.mkdir,
        "pipe": lambda: os.mkfifo(target),
    }[kind]()
    with pytest.raises(InputError, match=f"{NAME}: something else has this name in the folder; move it away"):
        fetch(folder, two)
    assert os.path.lexists(target) and not (tmp_path / "none").exists()
    assert mine.read_bytes() == b"my own"


def test_a_link_to_the_right_file_is_left(two, tmp_path):
    (tmp_path / "mine").write_bytes(WHOLE)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / NAME).symlink_to(tmp_path / "mine")
    fetch(tmp_path / "in", two)
    assert (tmp_path / "in" / NAME).is_symlink()


def test_a_file_that_another_process_fetches_is_left_to_it(two, tmp_path):
    with open(tmp_path / f".{NAME}.part", "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(InputError, match=f"{NAME}: is being fetched by another process"):
            fetch(tmp_path, two)
    fetch(tmp_path, two)
    assert (tmp_path / NAME).read_bytes() == WHOLE


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: is not a folder and cannot be made one"):
        download(tmp_path / "file", server="http://127.0.0.1:9")
