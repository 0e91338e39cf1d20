#!/usr/bin/env python3
"""Checks that a warning which only a newer compiler gives ends no build of users and packagers, but one of those who check.

usage: presets.py CMakePresets.json
"""
import json
import sys

FOR_USERS = {"release", "package"}


def wanted(presets, name):
    """The value of GRT_WERROR that a preset gives; None: none, so that it is off."""
    preset = presets[name]
    variables = preset.get("cacheVariables", {})
    if "GRT_WERROR" in variables:
        return variables["GRT_WERROR"]
    return wanted(presets, preset["inherits"]) if "inherits" in preset else None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        presets = {preset["name"]: preset for preset in json.load(file)["configurePresets"]}
    wrong = [f"preset {name}: GRT_WERROR is {wanted(presets, name)}" for name, preset in presets.items()
             if not preset.get("hidden") and wanted(presets, name) not in ((None, "OFF") if name in FOR_USERS else ("ON",))]
    wrong += [f"preset {name}: there is none" for name in sorted(FOR_USERS - presets.keys())]
    print("\n".join(wrong + [f"{len(presets)} presets, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
