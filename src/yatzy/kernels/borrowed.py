"""Arguments of a kernel without reference counts.

Numba counts references to every array of a tuple in every function that the tuple is passed to. With the some fifty
arrays of a turn this takes longer than the short functions themselves. A kernel therefore calls them with borrowed
arrays, which are not counted. Borrow only arguments: the caller holds them until the function returns. Numba frees an
array that the function itself has made after its last use, whether or not it has been borrowed.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value)
        return context.make_tuple(
            builder, kind, [_uncounted(context, builder, k, part) for k, part in zip(kind, parts, strict=True)]
        )
    return value


@intrinsic
def borrowed(_context: Any, arrays: Any) -> Any:
    """The same argument, an array or a tuple of arrays, uncounted; of the same type."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _uncounted(context, builder, signature.args[0], args[0])

    return arrays(arrays), emit
