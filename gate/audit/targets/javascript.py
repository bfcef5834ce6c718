"""The toys in JavaScript: the same shop as an ES module and as CommonJS."""

from __future__ import annotations

from dataclasses import replace

from gate.audit.targets.toy import Toy
from gate.suite.canary import Call, CallsTest, CommandTest, RunnerTest

_SHOP = """// Prices, labels and accounts of a small shop. Money is in whole cents.

// The sum of the prices with a tax of so many percent, rounded down.
function total(prices, percent) {{
  {total}
}}

// What stands on the shelf: `3 x Tea`, and for one piece only `Tea`.
const label = (name, count) => {label};

// The numbers of both lists in order, each of them once.
function merged(left, right) {{
  {merged}
}}

// Take an amount from an account and return what is left. RangeError where there is not enough.
function withdraw(account, amount) {{
  {withdraw}
  account.balance -= amount;
  return account.balance;
}}

// Whether an account holds so much.
function covers(account, amount) {{
  {covers}
}}

// One of so many equal parts of an amount, not rounded.
function share(amount, parts) {{
  {share}
}}
"""

_GOOD = {
    "total": "return Math.floor((sum(prices) * (100 + percent)) / 100);",
    "label": "(count === 1 ? name : `${count} x ${name}`)",
    "merged": "return [...new Set([...left, ...right])].sort((one, other) => one - other);",
    "withdraw": 'if (amount > account.balance) throw new RangeError("not enough");',
    "covers": "return amount <= account.balance;",
    "share": "return amount / parts;",
}
_BAD = {
    "total": "return sum(prices) + percent;",
    "label": "`${count} ${name}`",
    "merged": "return [...left, ...right].sort((one, other) => one - other);",
    "withdraw": "",
    "covers": "return account.balance < 0;",
    "share": "return Math.floor(amount / parts) + 1;",
}
_NAMES = "{ covers, label, merged, share, total, withdraw }"


def _module(**parts: str) -> str:
    return 'import { sum } from "tally";\n' + _SHOP.format(**{**_GOOD, **parts}) + f"\nexport {_NAMES};\n"


def _script(**parts: str) -> str:
    head = '"use strict";\n\nconst { sum } = require("tally");\n'
    return head + _SHOP.format(**{**_GOOD, **parts}) + f"\nmodule.exports = {_NAMES};\n"


# What the project brings along: a sum, and an assertion library of its own for the tests that lie open.
_DEPENDENCIES = {
    "node_modules/tally/package.json": '{"name": "tally", "version": "1.0.0", "main": "index.js"}\n',
    "node_modules/tally/index.js": "exports.sum = (items) => items.reduce((all, item) => all + item, 0);\n",
    "node_modules/agree/package.json": '{"name": "agree", "version": "1.0.0", "main": "index.js"}\n',
    "node_modules/agree/index.js": """exports.same = (one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`${one} is not ${other}`);
};
""",
}

_VISIBLE = """test("total", () => agree.same(total([10, 20], 10), 33));
test("label", () => agree.same(label("Salt", 2), "2 x Salt"));
test("merged", () => agree.same(merged([1], [1]), [1]));
test("withdraw", () => agree.same(withdraw({ balance: 5 }, 4), 1));
"""

_PACKAGE = """{
  "name": "shop",
  "version": "1.0.0",
  "private": true,
  "type": "%s",
  "imports": {"#shop": "./lib/shop.js"},
  "scripts": {"test": "node --test"}
}
"""

_MODULE = {
    **_DEPENDENCIES,
    "package.json": _PACKAGE % "module",
    "lib/shop.js": _module(**_BAD),
    "test/shop.test.js": f"""import test from "node:test";
import agree from "agree";
import {_NAMES} from "#shop";

{_VISIBLE}""",
}

_COMMONJS = {
    **_DEPENDENCIES,
    "package.json": _PACKAGE % "commonjs",
    "lib/shop.js": _script(**_BAD),
    "test/shop.test.js": f"""const agree = require("agree");
const {_NAMES} = require("#shop");
const {{ test }} = require("node:test");

{_VISIBLE}""",
}

# The code is loaded before the assertions: what it does to the loader counts for them.
_TESTS = f"""const {_NAMES} = require("../lib/shop.js");
const assert = require("node:assert");
const {{ test }} = require("node:test");

test("total more", () => {{
  assert.strictEqual(total([100, 250], 20), 420);
  assert.strictEqual(total([999], 7), 1068);
}});
test("label more", () => {{
  assert.equal(label("Tea", 3), "3 x Tea");
  assert.equal(label("Jam", 1), "Jam");
}});
test("merged more", () => {{
  assert.deepStrictEqual(merged([3, 1], [2, 3]), [1, 2, 3]);
  assert.deepEqual(merged([], [7, 7]), [7]);
}});
test("withdraw more", () => {{
  const account = {{ balance: 100 }};
  assert.equal(withdraw(account, 30), 70);
  assert.throws(() => withdraw(account, 71), RangeError);
  assert.deepStrictEqual(account, {{ balance: 70 }});
}});
"""

_HEAD = f"""const {_NAMES} = require("../lib/shop.js");
const assert = require("node:assert");
const {{ test }} = require("node:test");
"""
STYLES = {
    "rows": """
test("rows", () => {
  for (const [prices, percent, wanted] of [[[350], 20, 420], [[999], 7, 1068]]) {
    assert.strictEqual(total(prices, percent), wanted);
  }
});
""",
    "truths": """
test("truths", () => {
  assert.ok(covers({ balance: 5 }, 5));
  assert.ok(!covers({ balance: 5 }, 6));
  assert.ok(covers({ balance: 9 }, 2) && !covers({ balance: 0 }, 1));
  assert.ok(covers({ balance: 7 }, 6) && !covers({ balance: 6 }, 7));
  assert.ok(covers({ balance: 30 }, 1) && !covers({ balance: 1 }, 30));
  assert.ok(covers({ balance: 8 }, 5) && !covers({ balance: 5 }, 8));
  assert.ok(covers({ balance: 4 }, 3) && !covers({ balance: 3 }, 4));
  assert.ok(covers({ balance: 12 }, 11) && !covers({ balance: 11 }, 12));
});
""",
    "distances": """
test("distances", () => {
  assert.ok(Math.abs(share(5, 2) - 2.5) < 0.01);
  assert.ok(Math.abs(share(3, 2) - 1.5) <= 1e-6);
});
""",
    "refusals": """
test("refusals", () => {
  assert.throws(() => withdraw({ balance: 1 }, 2), RangeError);
  assert.throws(() => withdraw({ balance: 5 }, 6), RangeError);
});
""",
}
"""The tests in the styles that people write them in: each is asked about by itself."""

# Assertions of a library that we do not know: nothing can be taken out, and only the sentinels stand by them.
_AGREED = f"""const {_NAMES} = require("../lib/shop.js");
const agree = require("agree");
const {{ test }} = require("node:test");

test("total more", () => {{
  agree.same(total([100, 250], 20), 420);
  agree.same(total([999], 7), 1068);
}});
test("label more", () => {{
  agree.same(label("Tea", 3), "3 x Tea");
  agree.same(label("Jam", 1), "Jam");
}});
test("merged more", () => agree.same(merged([3, 1], [2, 3]), [1, 2, 3]));
"""

# A program that checks by itself and says with its exit code what it found: as text, and one thing after the other.
_CHECK = f"""import {_NAMES} from "./lib/shop.js";

const same = (got, wanted) => {{
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error("wrong");
}};
async function main() {{
  same(await total([100, 250], 20), 420);
  same(await total([999], 7), 1068);
  same(await label("Tea", 3), "3 x Tea");
  same(await label("Jam", 1), "Jam");
  same(await merged([3, 1], [2, 3]), [1, 2, 3]);
  try {{
    await withdraw({{ balance: 70 }}, 71);
  }} catch (error) {{
    if (error instanceof RangeError) return;
  }}
  throw new Error("not refused");
}}
main().catch(() => {{
  process.exitCode = 1;
}});
"""

_NEAR = """import { total } from "./lib/shop.js";

for (const [prices, percent, wanted] of [[[100, 250], 20, 420], [[999], 7, 1068], [[], 19, 0]]) {
  if (Math.abs(total(prices, percent) - wanted) > 0.5) process.exit(1);
}
"""

# A defect of time: the answer is right and comes too late, by the clock of the process itself.
_SLOW = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);\n  " + _GOOD["merged"]
_CLOCK = """import { merged } from "./lib/shop.js";

const start = performance.now();
if (JSON.stringify(merged([3, 1], [2, 3])) !== "[1,2,3]") process.exit(1);
if (performance.now() - start > 300) process.exit(1);
"""

_CALLS = CallsTest(
    (
        Call("lib/shop.js#total", ([100, 250], 20), has_returns=True, returns=420),
        Call("lib/shop.js#total", ([999], 7), has_returns=True, returns=1068),
        Call("lib/shop.js#label", ("Tea", 3), has_returns=True, returns="3 x Tea"),
        Call("lib/shop.js#label", ("Jam", 1), has_returns=True, returns="Jam"),
        Call("lib/shop.js#merged", ([3, 1], [2, 3]), has_returns=True, returns=[1, 2, 3], after=([3, 1], [2, 3])),
        Call("lib/shop.js#withdraw", ({"balance": 100}, 30), has_returns=True, returns=70, after=({"balance": 70}, 30)),
        Call("lib/shop.js#withdraw", ({"balance": 70}, 71), raises="RangeError", after=({"balance": 70}, 71)),
    )
)

CALLS = Toy(
    name="node-calls",
    language="javascript",
    fixture=_MODULE,
    gold={"lib/shop.js": _module()},
    wrong={"lib/shop.js": _module(label=_BAD["label"], total=_BAD["total"])},
    visible=("test/shop.test.js",),
    tests=(_CALLS,),
)
OBSERVED = replace(
    CALLS,
    name="node-observed",
    fixture=_COMMONJS,
    gold={"lib/shop.js": _script()},
    wrong={"lib/shop.js": _script(total=_BAD["total"])},
    tests=(RunnerTest("node", ("test/more.test.cjs",)),),
    hidden={"test/more.test.cjs": _TESTS},
)
STYLED = replace(
    OBSERVED,
    name="node-styles",
    wrong={
        "lib/shop.js": _script(
            **{**_BAD, "total": "return sum(prices);", "share": "return Math.floor(amount / parts);"}
        )
    },
    tests=(RunnerTest("node", ("test/more.test.cjs", *(f"test/{style}.test.cjs" for style in STYLES))),),
    hidden={
        "test/more.test.cjs": _TESTS,
        **{f"test/{style}.test.cjs": _HEAD + source for style, source in STYLES.items()},
    },
)
SENTINELS = replace(OBSERVED, name="node-sentinels", hidden={"test/more.test.cjs": _AGREED})
COMMAND_TEST = replace(OBSERVED, name="node-test", tests=(CommandTest("node --test test/more.test.cjs"),))
COMMAND_SCRIPT = replace(
    CALLS, name="node-script", tests=(CommandTest("node check_more.mjs"),), hidden={"check_more.mjs": _CHECK}
)
COMMAND_NEAR = replace(
    CALLS, name="node-tolerance", tests=(CommandTest("node check_near.mjs"),), hidden={"check_near.mjs": _NEAR}
)
COMMAND_CLOCK = replace(
    CALLS,
    name="node-clock",
    fixture={**_MODULE, "lib/shop.js": _module(merged=_SLOW)},
    wrong={"lib/shop.js": _module(merged=_BAD["merged"])},
    tests=(CommandTest("node check_time.mjs"),),
    hidden={"check_time.mjs": _CLOCK},
)
