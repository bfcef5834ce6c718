"""gate.yml: what it means, and every way to get it wrong."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from gate.errors import ConfigError
from gate.policy import Policy
from gate.suite.config import BUILT_IN, AgentSpec, load_config, parse_config
from tests.suite.desk import Desk


def problems(desk: Desk, text: str, **environ: str) -> list[str]:
    """What is wrong with a gate.yml, as `line: key: reason`."""
    desk.write("gate.yml", text)
    with pytest.raises(ConfigError) as caught:
        desk.config(**environ)
    return [str(problem).removeprefix(f"{desk.root}/gate.yml:") for problem in caught.value.problems]


def test_the_least_file_means_the_defaults(desk: Desk) -> None:
    """`schema: 1` alone runs canaries/ with the stand-in, once, under seed 002's thresholds."""
    desk.write("gate.yml", "schema: 1\n")
    config = desk.config()
    assert (config.suite, config.hidden, config.hidden_note) == (desk.root / "canaries", None, None)
    assert (config.agent, config.seeds, config.jobs, config.budget_usd) == ("stand-in", 1, None, None)
    assert config.policy == Policy()
    assert config.agents == BUILT_IN
    assert (config.baseline, config.prompt_template, config.stack, config.surface) == (None, None, (), {})


def test_every_key_arrives(desk: Desk) -> None:
    """Each key of the file is a field, numbers are exact fractions of what was written, paths are absolute."""
    desk.write("prompts/system.md", "Be careful.\n")
    desk.write("prompts/task.txt", "{prompt}\n")
    desk.write(
        "gate.yml",
        """\
schema: 1
suite: canaries
hidden: {env: HIDDEN}
agent: claude
agents:
  claude: {kind: loop, model: anthropic/x, system_prompt: prompts/system.md, tools: [read_file, edit_file]}
  stand-in: {kind: loop, model: stand-in}
  nobody: {kind: "null"}
seeds: 3
attempt_cap: 1
jobs: 2
policy: {fail_under: 0.95, min_lower: 0.3, score_drop: 0.05, gap_limit: 0.1, min_slice: 24, headline: false,
  max_unscored: 0.125, confirm_seeds: 4, low_rate: 0.2}
baseline: goldens/baseline.json
budget_usd: 12
prompt_template: prompts/task.txt
stack: ["prompts/**"]
surface: {access_label: team plan, access_date: 2026-11-29, context_limit: 200k}
""",
    )
    config = desk.config(HIDDEN=str(desk.root / "goldens"))
    assert config.hidden == desk.root / "goldens"
    assert config.agents["claude"] == AgentSpec(
        "claude", "loop", "anthropic/x", desk.root / "prompts/system.md", ("read_file", "edit_file")
    )
    assert config.agents["nobody"] == AgentSpec("nobody", "null")
    assert set(config.agents) == {"claude", "stand-in", "nobody", "oracle", "null"}
    assert (config.agent, config.seeds, config.attempt_cap, config.jobs) == ("claude", 3, 1, 2)
    assert config.policy == Policy(
        fail_under=Fraction(19, 20),
        min_lower=Fraction(3, 10),
        score_drop=Fraction(1, 20),
        gap_limit=Fraction(1, 10),
        min_slice=24,
        headline=False,
        max_unscored=Fraction(1, 8),
        confirm_seeds=4,
        low_rate=Fraction(1, 5),
    )
    assert (config.baseline, config.budget_usd) == (desk.root / "goldens/baseline.json", 12.0)
    assert config.prompt_template == desk.root / "prompts/task.txt"
    assert config.stack == ("prompts/**",)
    assert config.surface == {"access_label": "team plan", "access_date": "2026-11-29", "context_limit": "200k"}


REFUSED = {
    "agents: {}\n": ["1: schema: is missing"],
    "schema: 2\n": ["1: schema: expected 1, got a number (2)"],
    "schema: 1\nagnet: x\n": [
        (
            "2: agnet: unknown key; perhaps you meant `agent`; known here: schema, suite, hidden, agent, agents, "
            "seeds, attempt_cap, jobs, policy, baseline, budget_usd, prompt_template, stack, surface"
        )
    ],
    "schema: 1\nsuite: nowhere\n": ["2: suite: no such folder: `nowhere`"],
    "schema: 1\nsuite: ../canaries\n": ["2: suite: the path `../canaries` must not hold `..`"],
    "schema: 1\nsuite: /tmp\n": ["2: suite: the path `/tmp` must be relative"],
    "schema: 1\nhidden: {path: canaries/hidden}\n": ["2: hidden.path: no such folder: `canaries/hidden`"],
    "schema: 1\nhidden: {path: canaries, env: X}\n": ["2: hidden: needs exactly one of path, env; has path and env"],
    "schema: 1\nhidden: {}\n": ["2: hidden: needs exactly one of path, env; has none"],
    "schema: 1\nhidden: {env: A-B}\n": [
        "2: hidden.env: is not the name of an environment variable, got the text `A-B`"
    ],
    "schema: 1\nagent: claude\n": ["2: agent: no agent `claude`; there are null, oracle, stand-in"],
    "schema: 1\nagent: null\n": ["2: agent: expected text, got nothing"],
    "schema: 1\nagents:\n  x: {kind: null}\n": [
        '3: agents.x.kind: expected one of loop, direct, oracle, null, got nothing; put it in quotes: "null"'
    ],
    "schema: 1\nagents:\n  x: {kind: command, argv: [a]}\n": [
        "3: agents.x.argv: unknown key; known here: kind, model, system_prompt, tools",
        "3: agents.x.kind: expected one of loop, direct, oracle, null, got the text `command`",
    ],
    "schema: 1\nagents:\n  x: {kind: loop}\n": ["3: agents.x: an agent of kind loop needs a `model`"],
    "schema: 1\nagents:\n  oracle: {kind: loop, model: y}\n": [
        "3: agents.oracle.kind: `oracle` is a control of the gate and cannot be another kind of agent"
    ],
    "schema: 1\nagents:\n  x: {kind: oracle, model: y}\n": [
        "3: agents.x.model: an agent of kind oracle has no `model`"
    ],
    "schema: 1\nagents:\n  x: {kind: loop, model: y, system_prompt: p.md}\n": [
        "3: agents.x.system_prompt: no such file: `p.md`"
    ],
    "schema: 1\nagents:\n  x: {kind: loop, model: y, tools: [read]}\n": [
        (
            "3: agents.x.tools[0]: expected one of list_files, read_file, search, edit_file, write_file, run_tests, "
            "got the text `read`; perhaps you meant `read_file`"
        )
    ],
    "schema: 1\nseeds: 0\n": ["2: seeds: must be at least 1, got a number (0)"],
    "schema: 1\nseeds: 2.5\n": ["2: seeds: expected a whole number, got a number (2.5)"],
    "schema: 1\nseeds: true\n": ["2: seeds: expected a whole number, got true"],
    "schema: 1\npolicy: {fail_under: 95}\n": ["2: policy.fail_under: must be at most 1, got a number (95)"],
    "schema: 1\npolicy: {fail_under: 95%}\n": [
        (
            "2: policy.fail_under: expected a number or nothing, got the text `95%`; write a plain decimal number "
            "without quotes, leading zeros or separators"
        )
    ],
    "schema: 1\npolicy: {min_lower: 1}\n": ["2: policy.min_lower: must be less than 1, got a number (1)"],
    "schema: 1\npolicy: {headline: on}\n": [
        "2: policy.headline: expected true or false, got the text `on`; YAML 1.2 has only true and false"
    ],
    "schema: 1\npolicy: {score_drop: null}\n": ["2: policy.score_drop: expected a number, got nothing"],
    "schema: 1\nbudget_usd: 0\n": ["2: budget_usd: must be more than 0, got a number (0)"],
    "schema: 1\nprompt_template: none.txt\n": ["2: prompt_template: no such file: `none.txt`"],
    "schema: 1\nstack: prompts\n": ["2: stack: expected a list of strings, got the text `prompts`"],
    "schema: 1\nsurface: {access_date: 2026-13-01}\n": [
        "2: surface.access_date: `2026-13-01` is not a day of the calendar"
    ],
    "- schema: 1\n": ["1: expected a mapping, got a list"],
    "schema: 1\nseeds: 1\nseeds: 3\n": ["3: seeds: the key stands twice; first on line 2"],
    'schema: 1\nagents: {"a b": {kind: oracle}}\n': [
        "2: agents: only letters, digits, `.`, `_` and `-`, starting with a letter or digit, got the text `a b`"
    ],
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(desk: Desk, text: str) -> None:
    """A mistake in gate.yml names its line, its key and the reason."""
    assert problems(desk, text) == REFUSED[text]


def test_all_problems_come_at_once(desk: Desk) -> None:
    """What the schema cannot say is reported together, too."""
    text = "schema: 1\nsuite: nowhere\nagent: claude\nagents:\n  x: {kind: loop}\nbaseline: /b.json\n"
    assert [problem.split(": ")[:2] for problem in problems(desk, text)] == [
        ["2", "suite"],
        ["3", "agent"],
        ["5", "agents.x"],
        ["6", "baseline"],
    ]


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    """Without gate.yml the message names the two ways on."""
    with pytest.raises(ConfigError, match=r"gate\.yml: no such file; `gate init` makes one, `--config` names another"):
        load_config(tmp_path / "gate.yml", {})


def test_a_commit_is_read_as_a_file_is(desk: Desk) -> None:
    """Bytes from another commit give the same value as the file, with paths below the same folder."""
    path = desk.root / "gate.yml"
    assert parse_config(path, path.read_bytes(), {}) == desk.config()


def test_names_in_messages_are_those_the_user_gave(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path below the folder of gate.yml is shown as the user wrote that folder; another one as it is."""
    monkeypatch.chdir(desk.root)
    config = load_config(Path("gate.yml"), {})
    assert config.base == desk.root
    assert config.shown(config.suite / "card.yaml") == Path("canaries/card.yaml")
    assert config.shown(Path("/elsewhere/x.yaml")) == Path("/elsewhere/x.yaml")
