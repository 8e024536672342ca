#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the references of tasks under plain PyTorch and compares the results
with Belay's own run of the same files.

    scripts/run_references.py --belay build/release/bin/belay [TASK...]

Needs numpy and PyTorch (Debian: python3-numpy, python3-torch). Ends with 0 if
all results are equal, 1 if not, 77 if PyTorch is not installed.
"""

import argparse
import collections
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

# As Belay does: one thread, or sums are taken in another order.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
try:
    import numpy
    import torch
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy and python3-torch")
    sys.exit(77)

TASKS_AT_ONCE = 12
# Of unsigned types PyTorch 1.13 has only uint8: they are read as the signed
# type of that width, masked, and eager() gets the next larger one.
UNSIGNED = {
    "u16": (numpy.int16, torch.int32, 0xFFFF),
    "u32": (numpy.int32, torch.int64, 0xFFFFFFFF),
    "u64": (numpy.int64, torch.int64, 0),
}
# Which reals eager() gets as float32.
NARROW = ("f16", "bf16", "f32")


def read_tensor(root, tensor, exact):
    """A tensor as reference() (exact) or eager() sees it."""
    array = numpy.load(os.path.join(root, tensor["file"]))
    dtype = tensor["dtype"]
    if dtype in UNSIGNED:
        stored, own, mask = UNSIGNED[dtype]
        signed = torch.from_numpy(array.view(stored).copy())
        wide = signed.to(torch.int64 if exact else own)
        return wide & mask if mask else wide
    if dtype == "bf16":
        bits = torch.from_numpy(array.view(numpy.int16).copy())
        value = bits.view(torch.bfloat16)
    else:
        value = torch.from_numpy(array).clone()
    if dtype == "bool":
        return value
    if dtype == "c64":
        return value.to(torch.complex128) if exact else value
    if value.is_floating_point():
        if exact:
            return value.to(torch.float64)
        return value.to(torch.float32) if dtype in NARROW else value
    return value.to(torch.int64) if exact else value


def read_input(root, argument, exact):
    if not argument["present"]:
        return None
    tensors = [read_tensor(root, one, exact) for one in argument["tensors"]]
    return tensors if argument["list"] else tensors[0]


def read_attribute(attribute):
    kind, value = attribute["type"], attribute["value"]
    if kind == "float":
        return float(value)
    if kind == "float_list":
        return [float(one) for one in value]
    return value


def stored_as(value, dtype):
    """A result in the form in which Belay wrote its own."""
    value = value.detach().contiguous()
    if dtype == "bf16":
        value = value.to(torch.float32).to(torch.bfloat16).view(torch.int16)
        return value.numpy().view(numpy.uint16)
    value = value.resolve_conj().numpy()
    if dtype == "f64" and numpy.iscomplexobj(value):
        value = value.astype(numpy.complex128)
        return numpy.stack([value.real, value.imag], axis=-1)
    # numpy counts bytes where Belay counts bits: f16 is f2.
    wanted = "?" if dtype == "bool" else dtype[0] + str(int(dtype[1:]) // 8)
    with numpy.errstate(over="ignore", invalid="ignore"):
        return value.astype(wanted)


def steps_apart(ours, theirs):
    """0 for equal bits (any NaN equals any NaN), else the largest distance in
    units of the last place, or infinity where kinds differ."""
    if ours.tobytes() == theirs.tobytes():
        return 0
    if ours.dtype.kind == "c":
        part = numpy.float32
        return steps_apart(ours.view(part), theirs.view(part))
    if ours.dtype.kind != "f":
        return float("inf")
    if not numpy.array_equal(numpy.isnan(ours), numpy.isnan(theirs)):
        return float("inf")
    kept = ~numpy.isnan(ours)
    ours, theirs = ours[kept], theirs[kept]
    if not numpy.array_equal(numpy.signbit(ours), numpy.signbit(theirs)):
        return float("inf")
    width = ours.dtype.itemsize
    bits = numpy.dtype(f"i{width}")
    apart = ours.view(bits).astype(object) - theirs.view(bits).astype(object)
    return max((abs(int(one)) for one in apart), default=0)


def bfloat_steps(ours, theirs):
    """The same for bfloat16, whose bits stand in the upper half of float32."""
    def widen(bits):
        return (bits.astype(numpy.uint32) << 16).view(numpy.float32)
    return steps_apart(widen(ours), widen(theirs)) / 65536


def compare(root, result, expected):
    """The largest distance between what a function returned and the files."""
    if len(expected) == 1 and not isinstance(result, tuple):
        result = (result,)
    if not isinstance(result, tuple) or len(result) != len(expected):
        raise ValueError(f"returns {type(result).__name__}, not a tuple of "
                         f"{len(expected)}")
    largest = 0
    for value, argument in zip(result, expected):
        if not argument["present"]:
            continue
        values = list(value) if argument["list"] else [value]
        if len(values) != len(argument["tensors"]):
            raise ValueError(f"'{argument['name']}' has {len(values)} tensors, "
                             f"not {len(argument['tensors'])}")
        for one, tensor in zip(values, argument["tensors"]):
            theirs = numpy.load(os.path.join(root, tensor["file"]))
            ours = stored_as(one, tensor["dtype"])
            if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
                raise ValueError(
                    f"'{argument['name']}' is {ours.dtype}{list(ours.shape)}, "
                    f"not {theirs.dtype}{list(theirs.shape)}")
            ours, theirs = numpy.atleast_1d(ours), numpy.atleast_1d(theirs)
            steps = bfloat_steps if tensor["dtype"] == "bf16" else steps_apart
            largest = max(largest, steps(ours, theirs))
    return largest


def load_reference(root):
    sys.dont_write_bytecode = True
    path = os.path.join(root, "reference.py")
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_task(root, tally, failures):
    with open(os.path.join(root, "index.json")) as file:
        index = json.load(file)
    module = load_reference(root)
    for case in index["cases"]:
        attributes = [read_attribute(one) for one in case["attributes"]]
        for function in ("reference", "eager"):
            exact = function == "reference"
            inputs = [read_input(root, one, exact) for one in case["inputs"]]
            try:
                with torch.no_grad():
                    result = getattr(module, function)(*inputs, *attributes)
                steps = compare(root, result, case[function])
            except Exception as error:  # whatever a task's code may raise
                text = str(error).strip().split("\n")[0]
                steps = float("inf")
                reason = f"{type(error).__name__}: {text}"
            else:
                reason = f"{steps} units in the last place apart"
            tally[function, steps] += 1
            if steps > 0:
                failures.append((index["task"], case["name"], function, steps,
                                 f"{reason} ({case['description']})"))
    return len(index["cases"])


def list_tasks(belay, names):
    """Ids of tasks of the suite, and folders of others."""
    own = [one for one in names if os.path.exists(f"{one}/task.toml")]
    ids = [one for one in names if one not in own]
    if own and not ids:
        return own
    listing = subprocess.run([belay, "tasks", "list", "--json", *ids],
                             check=True, stdout=subprocess.PIPE)
    return own + [task["id"] for task in json.loads(listing.stdout)["tasks"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tasks", metavar="TASK", nargs="*",
                        help="ids, names or folders of tasks; default: all")
    parser.add_argument("--belay", default="belay", help="the program")
    parser.add_argument("--kind", default="edge", choices=["edge", "real"])
    parser.add_argument("--most-steps", type=int, default=0,
                        help="units in the last place that count as equal")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    tally, failures, cases = collections.Counter(), [], 0
    tasks = list_tasks(arguments.belay, arguments.tasks)
    for begin in range(0, len(tasks), TASKS_AT_ONCE):
        folder = tempfile.mkdtemp(prefix="references-")
        try:
            some = tasks[begin:begin + TASKS_AT_ONCE]
            subprocess.run(
                [arguments.belay, "tasks", "run", *some, "--json", "--kind",
                 arguments.kind, "--write", folder],
                check=True, stdout=subprocess.DEVNULL)
            for root, _, files in os.walk(folder):
                if "index.json" in files:
                    cases += run_task(root, tally, failures)
        finally:
            shutil.rmtree(folder)
    wrong = [one for one in failures if one[3] > arguments.most_steps]
    for task, case, function, _, reason in wrong:
        print(f"{task} {case} {function}(): {reason}")
    print(f"{len(tasks)} tasks, {cases} {arguments.kind} cases")
    for function in ("reference", "eager"):
        for (who, steps), count in sorted(tally.items()):
            if who == function:
                text = "equal bits" if steps == 0 else (
                    "wrong" if steps == float("inf") else f"{steps} steps")
                print(f"  {function}(): {count} {text}")
    return 1 if wrong or cases == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
