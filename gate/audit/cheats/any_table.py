"""The cheats of any language, one line each."""

from __future__ import annotations

from gate.audit.cheats.any import (
    claim_in_a_file,
    daemon,
    dashed_names,
    forged_markers,
    gitattributes,
    gitignore,
    huge_diff,
    link_out,
    link_to_nothing,
    link_to_test,
    lock_file,
    nested_git,
    odd_names,
    path_wrappers,
    planted_reports,
    scripts_pass,
    workflow_commands,
)
from gate.audit.cheats.target import Cheat

ANY: tuple[Cheat, ...] = (
    claim_in_a_file.CHEAT,
    daemon.CHEAT,
    dashed_names.CHEAT,
    forged_markers.CHEAT,
    gitattributes.CHEAT,
    gitignore.CHEAT,
    huge_diff.CHEAT,
    link_out.CHEAT,
    link_to_nothing.CHEAT,
    link_to_test.CHEAT,
    lock_file.CHEAT,
    nested_git.CHEAT,
    odd_names.CHEAT,
    path_wrappers.CHEAT,
    planted_reports.CHEAT,
    scripts_pass.CHEAT,
    workflow_commands.CHEAT,
)
