"""Real servers on the loopback before bare repositories: OpenSSH, lighttpd and Apache, each with files of its own, ended with the test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SBIN = "/usr/sbin:/usr/bin:/usr/share/gitolite3"


def program(name: str) -> str:
    """Where a server's program lies; the test is skipped where it is not installed."""
    where = shutil.which(name, path=os.environ["PATH"] + ":" + SBIN)
    if where is None:
        pytest.skip(f"{name} is not installed here; .ci/run installs it")
    return where


def port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(line: list[str], says: str) -> Iterator[None]:
    """A server, from when it says on its standard error that it listens."""
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            heard = []
            for row in server.stderr:
                heard.append(row)
                if says in row:
                    break
            else:
                raise AssertionError("".join(heard))
            yield
        finally:
            server.terminate()
            server.communicate(timeout=20)


@contextmanager
def sshd(folder: Path, authorized: Path, *more: str) -> Iterator[int]:
    """OpenSSH's server for whoever runs this; gives its port. ``more``: further lines of its configuration."""
    where, at, host_key = program("sshd"), port(), folder / "host"
    if os.getuid() == 0 and not Path("/run/sshd").is_dir():
        pytest.skip("sshd that root runs needs the folder /run/sshd")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(host_key)], check=True)
    rows = (
        f"ListenAddress 127.0.0.1:{at}", f"HostKey {host_key}", f"AuthorizedKeysFile {authorized}", "PidFile none",
        "StrictModes no", "UsePAM no", "PasswordAuthentication no", "PermitRootLogin prohibit-password", *more,
    )  # fmt: skip
    config = folder / "sshd_config"
    config.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    with running([where, "-D", "-e", "-f", str(config)], "Server listening on"):
        yield at


def ssh_as(key: Path, at: int) -> str:
    """How Git reaches that server with a key."""
    options = (
        "IdentitiesOnly=yes",
        "StrictHostKeyChecking=no",
        "UserKnownHostsFile=/dev/null",
        "LogLevel=ERROR",
    )
    said = " ".join(f"-o {each}" for each in options)
    return f"ssh -F none -i {key} -p {at} {said}"


def placed(words: str, replaced: Iterable[tuple[str, str]]) -> str:
    """A configuration as the docs have it, but for its places."""
    for old, new in replaced:
        assert old in words, old
        words = words.replace(old, new)
    return words


@contextmanager
def apache(folder: Path, words: str) -> Iterator[int]:
    """Apache by a configuration, with the modules that Debian's package has switched on and those that the docs switch on.

    It serves nothing as root, so root runs it where it is another user with root's files.
    """
    where, at = program("apache2"), port()
    modules = (
        "mpm_event",
        "authn_core",
        "authz_core",
        "authz_user",
        "authn_file",
        "auth_basic",
        "alias",
        "env",
        "cgid",
    )
    rows = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in modules]
    rows += [
        f"Listen 127.0.0.1:{at}",
        "ServerName localhost",
        f"DocumentRoot {folder}",
        f"ScriptSock {folder}/cgid",
    ]
    rows += [
        f"PidFile {folder}/apache.pid",
        "ErrorLog /dev/stderr",
        "LogLevel notice",
        "User nobody",
        "Group nogroup",
    ]
    rows += ["<Directory />", "    Require all denied", "</Directory>", words]
    config = folder / "apache.conf"
    config.write_text("\n".join(rows), encoding="utf-8")
    another = (
        [program("unshare"), "--user", "--map-user=1000", "--map-group=1000"] if os.getuid() == 0 else []
    )
    with running([*another, where, "-D", "FOREGROUND", "-f", str(config)], "resuming normal operations"):
        yield at


@contextmanager
def lighttpd(folder: Path, words: str) -> Iterator[int]:
    """lighttpd by a configuration; gives its port."""
    where, at = program("lighttpd"), port()
    config = folder / "lighttpd.conf"
    config.write_text(
        f'server.bind = "127.0.0.1"\nserver.port = {at}\nserver.document-root = "{folder}"\n{words}'
    )
    with running([where, "-D", "-f", str(config)], "server started"):
        yield at
