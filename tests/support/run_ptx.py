#!/usr/bin/env python3
"""Executes the kernels' PTX, the text that devices get, thread by thread in many orders, and checks what it does: that no compiler has moved a read of shared memory
across a barrier, say, which neither the source nor its compilation for the host can show. usage: run_ptx.py KERNELS.ptx [SEEDS]

Only what these kernels use of PTX is known here. An order of threads is random: whoever is drawn executes some instructions, until its next barrier at most."""
import random
import re
import struct
import sys

MASK = {8: (1 << 8) - 1, 16: (1 << 16) - 1, 32: (1 << 32) - 1, 64: (1 << 64) - 1}
CONTROL = struct.Struct("<QQIIIIIII4x")  # struct grt_kernel_control
RECORD = struct.Struct("<QQIIHHI")  # struct grt_block_record
BASE, ROOM, SHARED_ROOM = 0x10000, 1 << 16, 1 << 14
FILTER = 1


class Kernel:
    """The instructions of an entry, its labels, and where its shared variables are."""

    def __init__(self, text, name):
        text = re.sub(r"//.*", "", text)
        found = re.search(r"\.entry " + name + r"\((.*?)\)\s*\{(.*?)\n\}", text, re.S)
        if not found:
            raise SystemExit(f"there is no kernel {name}")
        self.labels, self.code, self.shared, room = {}, [], {}, 0
        for size, symbol, count in re.findall(r"\.shared \.align \d+ \.b(\d+) (\w+)\[(\d+)\]", text):
            self.shared[symbol], room = room, room + -(-int(size) * int(count) // 128) * 16
        for symbol in re.findall(r"\.shared \.align \d+ \.[us]32 (\w+);", text):
            self.shared[symbol], room = room, room + 16
        assert room <= SHARED_ROOM
        for line in found[2].split("\n"):
            line = line.strip().rstrip(";")
            if re.fullmatch(r"[$\w]+:", line):
                self.labels[line[:-1]] = len(self.code)
            elif line and not line.startswith("."):
                self.code.append(self.parse(line))

    def parse(self, line):
        guard = re.match(r"@(!?)(%p\d+)\s+", line)
        rest = line[guard.end():] if guard else line
        name, _, operands = rest.replace("\t", " ").partition(" ")
        parts = [part.strip() for part in re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s][^,]*", operands)]
        return (guard[2], guard[1] != "!") if guard else None, name.split("."), parts


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits & MASK[32]))[0]


def rounded(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def signed(value, bits):
    value &= MASK[bits]
    return value - (1 << bits) if value >> (bits - 1) else value


class Launch:
    """Blocks of a kernel on a device's memory; blocks come one after the other, which the filter must allow."""

    def __init__(self, kernel, memory, parameters, blocks, threads, draw):
        self.kernel, self.memory, self.parameters = kernel, memory, parameters
        self.blocks, self.threads, self.draw, self.time = blocks, threads, draw, 1000

    def run(self, sm_of):
        for block in range(self.blocks):
            shared = bytearray(self.draw.randbytes(SHARED_ROOM))
            threads = [Thread(self, block, i, sm_of(block), shared) for i in range(self.threads)]
            while any(not thread.ended for thread in threads):
                ready = [thread for thread in threads if not thread.ended and not thread.waits]
                if not ready:
                    for thread in threads:
                        thread.waits = False
                    continue
                thread = self.draw.choice(ready)
                for _ in range(self.draw.randrange(1, 60)):
                    thread.step()
                    if thread.ended or thread.waits:
                        break


class Thread:
    def __init__(self, launch, block, number, sm, shared):
        self.launch, self.shared, self.at = launch, shared, 0
        self.ended = self.waits = False
        self.registers = {"%tid.x": number, "%ntid.x": launch.threads, "%ctaid.x": block,
                          "%nctaid.x": launch.blocks, "%smid": sm, "%warpid": 0}

    def value(self, operand, kind="u32"):
        if operand in ("%globaltimer", "%clock"):
            self.launch.time += 10
            return self.launch.time & MASK[32 if operand == "%clock" else 64]
        if operand.startswith("%"):
            return self.registers[operand]
        if operand in self.launch.kernel.shared:
            return self.launch.kernel.shared[operand]
        if operand.startswith("0f"):
            return int(operand[2:], 16)
        number = int(operand, 0)
        return number if kind == "pred" else number & MASK[int(kind[1:])]

    def place(self, operand, space):
        """The bytes that an address is in, and where."""
        base, _, offset = operand.strip("[]").partition("+")
        offset = int(offset) if offset else 0
        if space == "param":
            number = int(re.search(r"_param_(\d+)$", base)[1])
            return self.launch.parameters[number], offset
        address = self.value(base, "u64") + offset
        if space == "shared":
            return self.shared, address
        assert BASE <= address < BASE + ROOM, "an address outside of the memory"
        return self.launch.memory, address - BASE

    def move(self, name, parts):
        """ld, st: one value or several."""
        loads, kind = name[0] == "ld", name[-1]
        space = next((part for part in name if part in ("param", "shared", "global")), "global")
        registers = parts[0 if loads else 1].strip("{}").replace(" ", "").split(",")
        memory, at = self.place(parts[1 if loads else 0], space)
        size = int(kind[1:]) // 8
        for register in registers:
            if loads:
                self.registers[register] = int.from_bytes(memory[at:at + size], "little")
            else:
                memory[at:at + size] = (self.value(register, kind) & MASK[size * 8]).to_bytes(size, "little")
            at += size

    def compute(self, name, parts):
        kind = name[-1]
        values = [self.value(part, kind) for part in parts[1:]]
        operation = name[0]
        if kind == "pred":
            a, b = bool(values[0]), bool(values[-1])
            return {"mov": a, "and": a and b, "or": a or b, "xor": a != b, "not": not a}[operation]
        if kind == "f32" and operation != "mov":
            a, b, c = (float_of(value) for value in (values + values + values)[:3])
            return rounded({"add": a + b, "sub": a - b, "mul": a * b, "fma": a * b + c}[operation])
        bits = int(kind[1:])
        if kind[0] == "s":
            values = [signed(value, bits) for value in values]
        a, b, c = (values + values + values)[:3]
        if operation == "mul" and "wide" in name:
            return a * b & MASK[2 * bits]
        if operation == "mul" and "hi" in name:
            return a * b >> bits & MASK[bits]
        if operation in ("div", "rem"):
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return (quotient if operation == "div" else a - quotient * b) & MASK[bits]
        result = {"mov": lambda: a, "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b,
                  "mad": lambda: a * b + c, "and": lambda: a & b, "or": lambda: a | b, "not": lambda: ~a,
                  "shl": lambda: a << b, "shr": lambda: a >> b, "min": lambda: min(a, b)}[operation]()
        return result & MASK[bits]

    def compare(self, name, parts):
        kind = name[-1]
        a, b = (self.value(part, kind) for part in parts[1:3])
        if kind[0] == "s":
            a, b = signed(a, int(kind[1:])), signed(b, int(kind[1:]))
        return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[name[1]]

    def step(self):
        guard, name, parts = self.launch.kernel.code[self.at]
        self.at += 1
        if guard and bool(self.registers[guard[0]]) != guard[1]:
            return
        operation = name[0]
        if operation == "bra":
            self.at = self.launch.kernel.labels[parts[0]]
        elif operation == "ret":
            self.ended = True
        elif operation in ("bar", "membar"):
            self.waits = operation == "bar"
        elif operation in ("ld", "st"):
            self.move(name, parts)
        elif operation == "atom":
            memory, at = self.place(parts[1], "global")
            before = int.from_bytes(memory[at:at + 4], "little")
            memory[at:at + 4] = (before + self.value(parts[2]) & MASK[32]).to_bytes(4, "little")
            self.registers[parts[0]] = before
        elif operation == "setp":
            self.registers[parts[0]] = self.compare(name, parts)
        elif operation == "selp":
            self.registers[parts[0]] = self.value(parts[1 if self.registers[parts[3]] else 2])
        elif operation in ("cvta", "cvt"):
            assert operation == "cvta" or name[1:] == ["u64", "u32"]
            self.registers[parts[0]] = self.value(parts[1], "u64")
        else:
            self.registers[parts[0]] = self.compute(name, parts)


RECORDS, COUNTERS, FIRST, SECOND, OUT = BASE, BASE + 0x1000, BASE + 0x2000, BASE + 0x4000, BASE + 0x6000
LOG2 = 11  # of floats of a buffer


def launch(kernel, draw, what):
    """Runs it; returns the memory behind it."""
    memory = bytearray(ROOM)
    floats = [draw.randrange(100) for _ in range(1 << LOG2)]
    for at in (FIRST, SECOND):
        struct.pack_into(f"<{1 << LOG2}f", memory, at - BASE, *floats)
    struct.pack_into("<I", memory, COUNTERS - BASE + 12, what.get("working", 0))
    control = CONTROL.pack(RECORDS, COUNTERS, what.get("first_block", 0), what["logical"], 1, what["mode"],
                           what.get("low", 0), what.get("high", 100), LOG2)
    parameters = [bytearray(control)] + [bytearray(struct.pack("<Q", value)) for value in what["parameters"]]
    Launch(kernel, memory, parameters, what["launched"], what["threads"], draw).run(what["sm_of"])
    return memory, floats


def out_of(memory, count):
    return struct.unpack_from(f"<{count}f", memory, OUT - BASE)


def check_records(memory, first, count):
    """Every logical block has left one record, and no other."""
    for block in range(64):
        start, end, start_cycle, end_cycle, _, _, _ = RECORD.unpack_from(memory, block * RECORD.size)
        assert (end > start > 0) == (first <= block < first + count), f"the record of block {block}"
        assert end == 0 or end - start == end_cycle - start_cycle, "spans of cycles and of the timer differ"


def check_vadd(kernel, draw, mode, low, high, working):
    """Each thread adds its own part of each logical block; blocks on other SMs do nothing."""
    threads, amount, logical, first = 5, 10, 7, 3
    memory, floats = launch(kernel, draw, {
        "mode": mode, "logical": logical, "launched": logical if mode != FILTER else 6, "threads": threads,
        "parameters": [FIRST, SECOND, OUT, amount], "low": low, "high": high, "working": working,
        "first_block": first, "sm_of": lambda block: block})
    works = mode != FILTER or low < 6 or not working
    room = (1 << LOG2) // amount
    wanted = [0.0] * (1 << LOG2)
    for block in range(first, first + logical if works else first):
        for i in range(block % room * amount, block % room * amount + amount):
            wanted[i] = 2.0 * floats[i]
    assert list(out_of(memory, 1 << LOG2)) == wanted, "sums of a block are missing, or there are others"
    check_records(memory, first, logical if works else 0)


def check_reduce(kernel, draw):
    threads, amount = 8, 40
    memory, floats = launch(kernel, draw, {
        "mode": FILTER, "logical": 4, "launched": 3, "threads": threads, "low": 0, "high": 2,
        "parameters": [FIRST, OUT, amount], "sm_of": lambda block: block})
    wanted = tuple(float(sum(floats[block * amount:(block + 1) * amount])) for block in range(4))
    assert out_of(memory, 4) == wanted, "sums of blocks"


def check_matmul(kernel, draw):
    memory, floats = launch(kernel, draw, {
        "mode": FILTER, "logical": 1, "launched": 1, "threads": 256,
        "parameters": [FIRST, SECOND, OUT, 16], "sm_of": lambda block: block})
    product = out_of(memory, 256)
    for i in range(256):
        row, column = i // 16, i % 16
        assert product[i] == sum(floats[row * 16 + k] * floats[k * 16 + column] for k in range(16)), "a product"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    vadd, reduce, matmul = (Kernel(text, name) for name in ("k_vadd", "k_reduce", "k_matmul"))
    for seed in range(seeds):
        draw = random.Random(seed)
        check_vadd(vadd, draw, 0, 0, 100, 0)
        check_vadd(vadd, draw, FILTER, 2, 4, 0)
        check_vadd(vadd, draw, FILTER, 50, 51, 0)  # nobody is there: the last block to come does it all
        check_vadd(vadd, draw, FILTER, 50, 51, 1)  # others work: none of these does
        check_reduce(reduce, draw)
        if seed == 0:
            check_matmul(matmul, draw)
    print(f"filter, barriers and records are right in {seeds} orders of threads each")


main()
