#!/usr/bin/env python3
"""Tries declarations.py on a header with what is easily missed, symbols.py on objects, and kept.py on promises that are kept and broken.

usage: self_test.py COMPILER    (a gcc)
"""
import sys
import tempfile
import unittest
from pathlib import Path

import kept
import symbols
from declarations import Declarations

HEADER = """#include <stdint.h>
#include <stdio.h>
#include "types.h"
#define ONE 1
#define MOST (INT64_C(1) << 40)
#define NONE (-1)
#define ALL UINT64_MAX
extern const int a, b;
extern int c;
extern const char *const words[], *const three[3], *const *const list;
extern const unsigned char key[4];
extern const int sizes[2][7];
extern const char texts[3][8];
struct tagged;
extern const struct tagged hidden;
struct inner { double x; };
struct outer {
    struct inner first, *next;
    union { long l; char text[12]; };
    unsigned low : 3, high : 5;
    int (*call)(const struct tagged *, ...);
    size_t rest[];
};
enum colour { RED, GREEN = 7, LAST = -1 };
typedef int number;
int plain(void), *pointing(struct outer *outer, FILE *out);
_Noreturn void stops(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline int own(int x) { return x + 1; }
extern number (*chosen(int))(void);
"""


class Headers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "sub").mkdir()
            Path(folder, "sub/header.h").write_text(HEADER)
            Path(folder, "types.h").write_text("struct other { int i; };\n")
            cls.found = Declarations(Path(folder), sys.argv[1], ["sub/header.h"],
                                     ["ONE", "MOST", "NONE", "ALL"])

    def test_functions(self):
        self.assertEqual(set(self.found.functions), {"plain", "pointing", "stops", "chosen"})
        self.assertEqual(self.found.functions["pointing"], "int *pointing (struct outer *, FILE *)")

    def test_objects(self):
        self.assertEqual(self.found.objects, {"a": "int const, 4 bytes", "b": "int const, 4 bytes", "c": "int, 4 bytes",
                                              "words": "char const * const[] const, None bytes",
                                              "three": "char const * const[3] const, 24 bytes",
                                              "list": "char const * const * const, 8 bytes",
                                              "key": "unsigned char const[4] const, 4 bytes",
                                              "sizes": "int const[2][7] const, 56 bytes",
                                              "texts": "char const[3][8] const, 24 bytes",
                                              "hidden": "struct tagged const, None bytes"})
        refused = [sentence.split(":")[0] for sentence in symbols.check_objects(self.found)]
        self.assertEqual(refused, ["c", "words", "three", "sizes", "texts", "hidden"])

    def test_structs(self):
        self.assertEqual(set(self.found.structs), {"struct inner", "struct outer", "struct other"})
        self.assertEqual(self.found.structs["struct inner"], "8 bytes\n0: double x")
        lines = self.found.structs["struct outer"].split("\n")
        self.assertEqual(lines[:5], ["48 bytes", "0: struct inner first", "8: struct inner * next", "16: long int l", "16: char[12] text"])
        self.assertRegex(lines[5], "unsigned int low, bit_size 3")
        self.assertRegex(lines[6], "unsigned int high, bit_size 5")
        self.assertNotEqual(lines[5].split(",")[2:], lines[6].split(",")[2:])
        self.assertEqual(lines[7:], ["40: int (*)(struct tagged const *, ...) call", "48: size_t[] rest"])

    def test_constants(self):
        self.assertEqual(self.found.constants, {"RED": "0", "GREEN": "7", "LAST": "-1"})
        self.assertEqual(self.found.macros, {"ONE": "1", "MOST": "1099511627776", "NONE": "-1", "ALL": "18446744073709551615"})
        self.assertEqual(self.found.typedefs, {"number": "int"})


class Promises(unittest.TestCase):
    BEFORE = {"function f": ("0.1.0", "int f (void)"), "struct s": ("0.1.0", "8 bytes\n0: int a\n4: int b")}
    NOW = {"function f": "int f (void)", "struct s": "8 bytes\n0: int a\n4: int b"}

    def test_text(self):
        self.assertEqual(kept.read(kept.write(self.BEFORE)), self.BEFORE)

    def test_kept(self):
        self.assertEqual(list(kept.broken(self.BEFORE, {**self.NOW, "function g": "void g (int)"})), [])

    def test_gone(self):
        self.assertEqual(list(kept.broken(self.BEFORE, {"struct s": self.NOW["struct s"]})), ["function f: has been there since 0.1.0, and is gone"])

    def test_changed(self):
        [grown] = kept.broken(self.BEFORE, {**self.NOW, "struct s": "12 bytes\n0: int a\n4: int b\n8: int c"})
        self.assertEqual(grown, "struct s: is not as it was in 0.1.0: - 8 bytes; + 12 bytes; + 8: int c")
        [turned] = kept.broken(self.BEFORE, {**self.NOW, "struct s": "8 bytes\n4: int b\n0: int a"})
        self.assertIn("the order", turned)
        [asked] = kept.broken(self.BEFORE, {**self.NOW, "function f": "int f (int)"})
        self.assertIn("+ int f (int)", asked)

    def test_nodes(self):
        later = kept.added(self.BEFORE, {**self.NOW, "object o": "int const, 4 bytes", "struct t": "1 bytes"}, "0.1.10")
        later = kept.added(later, {key: body for key, (_, body) in later.items()} | {"function e": "void e (void)"}, "0.1.2")
        self.assertEqual(kept.map_of(later, ""), "GPURT_0.1 {\nglobal:\n    f;\nlocal:\n    *;\n};\n"
                         "GPURT_0.1.2 {\nglobal:\n    e;\n} GPURT_0.1;\nGPURT_0.1.10 {\nglobal:\n    o;\n} GPURT_0.1.2;\n")

    def test_released(self):
        text = kept.write(self.BEFORE, (0, 1, 10))
        self.assertEqual((kept.read(text), kept.released(text)), (self.BEFORE, (0, 1, 10)))
        self.assertEqual(kept.released(kept.write(self.BEFORE)), ())
        new = {**self.NOW, "function g": "void g (int)"}
        [sentence] = kept.too_old(self.BEFORE, new, "0.1.9", (0, 1, 10))
        self.assertEqual(sentence, "function g: is new, but 0.1.9 has been released without it: raise the version in sim/version.h")
        self.assertEqual(len(list(kept.too_old(self.BEFORE, new, "0.1.10", (0, 1, 10)))), 1)
        self.assertEqual(list(kept.too_old(self.BEFORE, new, "0.1.11", (0, 1, 10))), [])
        self.assertEqual(list(kept.too_old(self.BEFORE, new, "0.1.0", ())), [])
        self.assertEqual(list(kept.too_old(self.BEFORE, self.NOW, "0.1.0", (0, 1, 10))), [])

    def test_sonames(self):
        self.assertEqual([kept.soname_of(version) for version in ("0.1.3", "0.12.0", "1.0.0", "2.5.1")], ["0.1", "0.12", "1", "2"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
