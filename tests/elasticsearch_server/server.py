"""Starting and stopping a whole Elasticsearch server; its jars come through Maven."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from server_process import ServerProcess

HERE = Path(__file__).resolve().parent
_MAVEN = ["mvn", "--batch-mode", "--quiet", "dependency:build-classpath"]


def missing() -> str | None:
    """Why there can be no server here, None if there can be one."""
    for program in ("java", "javac", "mvn"):
        if shutil.which(program) is None:
            return f"{program} is missing: an Elasticsearch server needs Maven and a JDK, 11 or later"
    return None


def class_path(folder: Path) -> str:
    """The server's jars, fetched at the first time."""
    file = folder / "class_path"
    command = [*_MAVEN, f"--file={HERE / 'pom.xml'}", f"-Dmdep.outputFile={file}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"Maven cannot provide the server's jars:\n{done.stdout}{done.stderr}"
    return file.read_text().strip()


class Server(ServerProcess):
    """A server on loopback, with its data in a folder; it can be killed and started again.

    ``authorization`` are the Authorization headers that it lets in; all are, if there are none.
    """

    def __init__(self, class_path: str, folder: Path, authorization: tuple[str, ...] = ()) -> None:
        self._folder = folder
        self._port = 0
        folder.mkdir(parents=True)
        guard = [f"-Dauthorization={'|'.join(authorization)}"] if authorization else []
        memory = ["-Xms400m", "-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        self._command = ["java", *memory, *guard, "-cp", class_path, str(HERE / "Server.java"), str(folder)]
        self.start()

    def start(self) -> None:
        """Start the server, at the port it had before, and wait until it answers."""
        with open(self._folder / "server.log", "ab") as log:
            self._process = subprocess.Popen(
                [*self._command, str(self._port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        for line in self._process.stdout:
            if line.startswith(b"port "):
                self._port = int(line.split()[1])
                return
        raise AssertionError(f"the server did not start:\n{(self._folder / 'server.log').read_text()}")
