"""Starting and stopping a SLURM of three nodes on loopback, all of it in one folder."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import psutil
from server_process import free_ports

# The programs inside a job look for the configuration here, whatever the environment says.
LINK = Path("/etc/slurm/slurm.conf")
NODES = ("n1", "n2", "n3")
SOCKET = "munge.socket"
# A name that no machine's own configuration has, so that a link to it is known even if the folder is gone.
CONFIGURATION_NAME = "sera-loopback.conf"
# In a cluster's folder: the process that started it, and ends it.
OWNER = "owner"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "sinfo")

CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/{socket},cred_expire=10
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdSpoolDir={folder}/spool.%n
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdParameters=config_overrides
SlurmdTimeout=10
ReturnToService=2
KillWait=2
MinJobAge=3600
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str | None:
    """Why there can be no cluster here, None if there can be one."""
    for program in PROGRAMS:
        if _path(program) is None:
            return (
                f"{program} is missing: a cluster on loopback needs Debian's packages slurmctld, slurmd, "
                "slurm-client and munge"
            )
    if os.geteuid() != 0:
        return "a cluster on loopback can be started by root alone"
    if LINK.exists() and not _left_behind():
        return f"this machine has a SLURM of its own ({LINK})"
    return None


class Cluster:
    """A controller and three nodes of four processors; a context that ends all of it.

    Jobs go to the first node that has room for them. While it runs, it is the machine's SLURM, by `LINK`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._daemons: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> Cluster:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def states(self) -> dict[str, str]:
        """What the controller takes each node for: idle, mixed, allocated, down, ..."""
        lines = _output("sinfo", "--noheader", "--Node", "--format=%N %T").splitlines()
        return {node: state for node, state in map(str.split, lines)}

    def jobs(self, *, node: str | None = None) -> list[str]:
        """The ids of the jobs that run, anywhere or on a node."""
        where = [f"--nodelist={node}"] if node else []
        return _output("squeue", "--noheader", "--states=running", "--format=%i", *where).split()

    def job(self, number: str) -> dict[str, str]:
        """What the controller knows of a job: its state, how often it was started anew, ..."""
        words = _output("scontrol", "--oneliner", "show", "job", number).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def kill_node(self, node: str) -> None:
        """End the daemon of a node and all processes of its jobs at once, as a power cut does."""
        daemon = self._daemons.pop(node)
        daemon.kill()
        daemon.wait()
        while processes := [process for process in psutil.process_iter() if _belongs(process, node)]:
            for process in processes:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(processes, timeout=10)

    def wait(self, *states: str, nodes: tuple[str, ...] = NODES, seconds: float = 60) -> None:
        """Wait until each of the nodes has one of the states."""
        end = time.monotonic() + seconds
        while not all(self.states().get(node) in states for node in nodes):
            assert time.monotonic() < end, f"{self.states()}\n{self._logs()}"
            time.sleep(0.3)

    def stop(self) -> None:
        """End all daemons and jobs, and take away the link."""
        for node in set(NODES) & set(self._daemons):
            self.kill_node(node)
        for daemon in self._daemons.values():
            daemon.send_signal(signal.SIGTERM)
        for daemon in self._daemons.values():
            daemon.wait(timeout=30)
        self._daemons.clear()
        if LINK.is_symlink() and Path(os.readlink(LINK)).parent == self._folder:
            LINK.unlink()

    def _start(self) -> None:
        (self._folder / "state").mkdir(parents=True)
        for node in NODES:
            (self._folder / f"spool.{node}").mkdir()
        host = socket.gethostname().split(".")[0]
        port, *ports = free_ports(1 + len(NODES))
        nodes = "\n".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} Weight={weight} "
            "CPUs=4 RealMemory=16000"
            for weight, (node, port) in enumerate(zip(NODES, ports, strict=True), 1)
        )
        configuration = self._folder / CONFIGURATION_NAME
        configuration.write_text(
            CONFIGURATION.format(host=host, port=port, folder=self._folder, socket=SOCKET, nodes=nodes)
        )
        (self._folder / OWNER).write_text(f"{os.getpid()}\n")
        clear()
        LINK.symlink_to(configuration)
        self._start_munge()
        self._run("controller", "slurmctld", "-D", "-i")
        for node in NODES:
            self._run(node, "slurmd", "-D", "-N", node)
        self.wait("idle")

    def _start_munge(self) -> None:
        """munge with a key and a socket of its own, so that no other is touched."""
        key = self._folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        files = {"key-file": key.name, "socket": SOCKET, "pid-file": "munged.pid"}
        files |= {"log-file": "munged.log", "seed-file": "munged.seed"}
        # forced, since the socket's folder lets in nobody but root
        options = [f"--{option}={self._folder / name}" for option, name in files.items()]
        self._run("munge", "munged", "--foreground", "--force", *options)
        end = time.monotonic() + 30
        while not (self._folder / SOCKET).exists():
            assert time.monotonic() < end, self._logs()
            time.sleep(0.05)

    def _run(self, name: str, program: str, *arguments: str) -> None:
        with open(self._folder / f"{name}.out", "ab") as log:
            self._daemons[name] = subprocess.Popen(
                [_path(program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_owner,
            )

    def _logs(self) -> str:
        """The ends of all logs, for a failure's message."""
        logs = sorted([*self._folder.glob("*.log"), *self._folder.glob("*.out")])
        return "\n".join(f"{log.name}:\n{log.read_text(errors='replace')[-1500:]}" for log in logs)


def _belongs(process: psutil.Process, node: str) -> bool:
    """Whether a process was started by a job on the node, or looks after one."""
    with contextlib.suppress(psutil.Error):
        if process.name() == "slurmstepd":
            return any(_belongs(child, node) for child in process.children())
        return process.environ().get("SLURMD_NODENAME") == node
    return False


def clear() -> None:
    """Take away the link that a killed test left: each start of Snakemake would wait nine seconds for it."""
    with contextlib.suppress(OSError):
        if _left_behind():
            LINK.unlink()


def _left_behind() -> bool:
    """Whether the link is that of a test's cluster whose owner is gone; its daemons ended with it."""
    if not LINK.is_symlink():
        return False
    configuration = Path(os.readlink(LINK))
    if configuration.name != CONFIGURATION_NAME:
        return False
    try:
        owner = configuration.with_name(OWNER)
        process = psutil.Process(int(owner.read_text()))
        # a process that began a minute later only got the number of the owner
        return process.create_time() > owner.stat().st_mtime + 60
    except (OSError, ValueError, psutil.Error):
        return True


def _end_with_owner() -> None:
    """Have the kernel end this process when the test that started it ends, however that ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _path(program: str) -> str | None:
    """Where a program is; daemons are often where a user's PATH does not lead."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout
