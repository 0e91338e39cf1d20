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
    return variables["GRT_WERROR"] if "GRT_WERROR" in variables else wanted(presets, preset["inherits"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        presets = {preset["name"]: preset for preset in json.load(file)["configurePresets"]}
    wrong = [name for name, preset in presets.items() if not preset.get("hidden")
             and (wanted(presets, name) is None) != (name in FOR_USERS)]
    for name in wrong:
        print(f"preset {name}: GRT_WERROR is {wanted(presets, name)}")
    return 1 if wrong or not FOR_USERS <= presets.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
