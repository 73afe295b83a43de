"""The process of a server on loopback, and ports for it."""

import contextlib
import socket
import subprocess


class ServerProcess:
    """A server that ends when its input ends; a subclass starts ``_process`` at ``_port``."""

    _port: int
    _process: subprocess.Popen

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def kill(self) -> None:
        """End the server at once, without a word, as a power cut does."""
        self._process.kill()
        self._end()

    def stop(self) -> None:
        """End the server: it does when its input ends."""
        self._process.stdin.close()
        self._end()

    def _end(self) -> None:
        self._process.wait(timeout=60)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]
