"""Files as Python 2 and scikit-learn 0.18 pickle a model of S3, cut to what such a file needs."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_ARRAY = (
    "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n({shape}tcnumpy\ndtype\n"
    "(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntbI00\nS'{content}'\ntb"
)


def array(shape: Sequence[int], *numbers: float) -> str:
    """The operations that build an array."""
    content = "".join(f"\\x{byte:02x}" for byte in struct.pack(f"<{len(numbers)}d", *numbers))
    return _ARRAY.format(shape="".join(f"I{one}\n" for one in shape), content=content)


def pickled(**changed: str) -> bytes:
    """A model of two support vectors, 0 and 1; ``changed`` holds entries' operations, empty for none."""
    entries = {
        "_impl": "S'epsilon_svr'\n",
        "kernel": "S'rbf'\n",
        "_sparse": "I00\n",
        "C": "F1\n",
        "epsilon": "F0.1\n",
        "_gamma": "F0.5\n",
        "intercept_": array([1], 0.25),
        "dual_coef_": array([1, 2], 1, -0.5),
        "support_vectors_": array([2, 6], *[0.0] * 6, *[1.0] * 6),
    } | changed
    state = "".join(f"S'{name}'\n{value}s" for name, value in entries.items() if value)
    begin = "ccopy_reg\n_reconstructor\n(csklearn.svm.classes\nSVR\nc__builtin__\nobject\nNtR"
    return f"{begin}(d{state}b.".encode("latin-1")
