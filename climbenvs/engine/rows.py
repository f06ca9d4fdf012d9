"""Copying, adding and clearing rows of int8 features, the bulk of every observation.

A slice assignment in Numba checks shapes and overlap at run time; these are one `memcpy` or
`memset` each.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from climbenvs.engine.jit import ENABLED


def _address(context, builder, array_type, array, indices):
    """Pointer to an element of a C-contiguous array."""
    struct = context.make_array(array_type)(context, builder, array)
    shape = cgutils.unpack_tuple(builder, struct.shape, array_type.ndim)
    strides = cgutils.unpack_tuple(builder, struct.strides, array_type.ndim)
    return cgutils.get_item_pointer2(
        context, builder, struct.data, shape, strides, "C", indices
    ), shape


def _copy_row(typing_context, out, offset, table, row):
    if table.ndim != 2 or out.ndim != 1 or out.dtype != table.dtype:
        return None

    def codegen(context, builder, signature, arguments):
        out_type, _, table_type, _ = signature.args
        out_value, offset_value, table_value, row_value = arguments
        zero = context.get_constant(types.intp, 0)
        source, shape = _address(context, builder, table_type, table_value, [row_value, zero])
        target, _ = _address(context, builder, out_type, out_value, [offset_value])
        item = context.get_abi_sizeof(context.get_data_type(table_type.dtype))
        cgutils.raw_memcpy(builder, target, source, shape[1], item)
        return context.get_dummy_value()

    return types.void(out, types.intp, table, types.intp), codegen


def _copy_values(typing_context, out, offset, values):
    if values.ndim != 1 or out.ndim != 1 or out.dtype != values.dtype:
        return None

    def codegen(context, builder, signature, arguments):
        out_type, _, values_type = signature.args
        out_value, offset_value, values_value = arguments
        zero = context.get_constant(types.intp, 0)
        source, shape = _address(context, builder, values_type, values_value, [zero])
        target, _ = _address(context, builder, out_type, out_value, [offset_value])
        item = context.get_abi_sizeof(context.get_data_type(values_type.dtype))
        cgutils.raw_memcpy(builder, target, source, shape[0], item)
        return context.get_dummy_value()

    return types.void(out, types.intp, values), codegen


def _row_sum(combine):
    """An intrinsic that combines `out[offset:]` with `table[row]`, up to 32 elements at once."""

    def typed(typing_context, out, offset, table, row):
        if not isinstance(table, types.NestedArray) or len(table.shape) != 2:
            return None
        if out.ndim != 1 or out.dtype != table.dtype:
            return None

        def codegen(context, builder, signature, arguments):
            out_type, _, table_type, _ = signature.args
            out_value, offset_value, table_value, row_value = arguments
            zero = context.get_constant(types.intp, 0)
            source, _ = _address(context, builder, table_type, table_value, [row_value, zero])
            target, _ = _address(context, builder, out_type, out_value, [offset_value])
            item = context.get_data_type(table_type.dtype)
            start, stop = 0, table_type.shape[1]
            for width in (32, 16, 8, 4, 2, 1):
                while stop - start >= width:
                    step = context.get_constant(types.intp, start)
                    vector = ir.VectorType(item, width).as_pointer()
                    spot = builder.bitcast(builder.gep(target, [step]), vector)
                    term = builder.bitcast(builder.gep(source, [step]), vector)
                    values = [builder.load(pointer, align=1) for pointer in (spot, term)]
                    builder.store(getattr(builder, combine)(*values), spot, align=1)
                    start += width
            return context.get_dummy_value()

        return types.void(out, types.intp, table, types.intp), codegen

    return typed


def _clear(typing_context, out):
    if out.ndim != 1:
        return None

    def codegen(context, builder, signature, arguments):
        (out_type,) = signature.args
        zero = context.get_constant(types.intp, 0)
        target, shape = _address(context, builder, out_type, arguments[0], [zero])
        item = context.get_abi_sizeof(context.get_data_type(out_type.dtype))
        size = builder.mul(shape[0], ir.Constant(shape[0].type, item))
        cgutils.memset(builder, target, size, 0)
        return context.get_dummy_value()

    return types.void(out), codegen


if ENABLED:
    copy_row = intrinsic(_copy_row)
    copy_values = intrinsic(_copy_values)
    add_row = intrinsic(_row_sum("add"))
    subtract_row = intrinsic(_row_sum("sub"))
    clear = intrinsic(_clear)
else:

    def copy_row(out, offset, table, row):
        """Copy `table[row]` to `out[offset:]`; both int8 and C-contiguous, `table` 2-D."""
        out[offset : offset + table.shape[1]] = table[row]

    def copy_values(out, offset, values):
        """Copy a 1-D array to `out[offset:]`; both of one type and contiguous."""
        out[offset : offset + values.shape[0]] = values

    def add_row(out, offset, table, row):
        """Add `table[row]` to `out[offset:]`; `table` is a 2-D integer field of a record."""
        out[offset : offset + table.shape[1]] += table[row]

    def subtract_row(out, offset, table, row):
        """Subtract `table[row]` from `out[offset:]`; `table` is a 2-D integer field of a record."""
        out[offset : offset + table.shape[1]] -= table[row]

    def clear(out):
        """Set every element of a 1-D array to zero."""
        out[:] = 0
