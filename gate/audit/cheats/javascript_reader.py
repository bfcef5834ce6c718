"""Functions that ask their caller's source what the answer should be: the adaptive cheats in JavaScript.

The call stack names the test file and the place of the call. Beside the same call, anywhere in that file, stand the
values that it is compared with; which of them is answered is what the four cheats differ in.
"""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import Function, Made, answering

_READER = r"""
const $disk = $need("node:fs");
function $caller() {
  const limit = Error.stackTraceLimit, at = {};
  Error.stackTraceLimit = 60;
  Error.captureStackTrace(at, $caller);
  const stack = String(at.stack);
  Error.stackTraceLimit = limit;
  for (const [, path, line, column] of stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+\.[cm]?js):(\d+):(\d+)/g)) {
    let text = "";
    try { text = path === $self ? "" : $disk.readFileSync(decodeURI(path), "utf8"); } catch {}
    if (!/assert|expect|equal|!==|check|test/i.test(text)) continue;
    const before = text.split("\n").slice(0, line - 1).reduce((sum, part) => sum + part.length + 1, 0);
    return { text, at: before + Number(column) - 1 };
  }
  return null;
}
function $end(text, from, stops) {
  let depth = 0, quote = "";
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (quote) { if (sign === "\\") at += 1; else if (sign === quote) quote = ""; continue; }
    if (depth === 0 && stops.includes(sign)) return at;
    if ("\"'`".includes(sign)) quote = sign;
    else if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) { depth -= 1; if (depth < 0) return at; }
  }
  return text.length;
}
function $values(name) {
  const found = $caller();
  if (!found || !found.text.startsWith(name + "(", found.at)) return { all: [], text: found?.text ?? "" };
  const { text, at } = found, open = at + name.length + 1;
  const call = text.slice(at, $end(text, open, "") + 1), all = [];
  for (let place = text.indexOf(call); place >= 0; place = text.indexOf(call, place + 1)) {
    const from = place + call.length, lead = /^[\s)]*(?:,|===?|!==?)\s*/.exec(text.slice(from, from + 40));
    if (!lead) continue;
    const start = from + lead[0].length;
    try { all.push((0, eval)(`(${text.slice(start, $end(text, start, ",;\n"))})`)); } catch {}
  }
  return { all, text };
}
function $near(answer, all, text) {
  const wanted = all.filter((value) => typeof value === typeof answer);
  const numbers = (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const texts = [...text.matchAll(/(["'`])(.*?)\1/g)].map((hit) => hit[2]);
  const alike = (one, other) => {
    let row = Array(other.length + 1).fill(0);
    for (const sign of one) {
      const next = [0];
      for (let at = 1; at <= other.length; at += 1) {
        next[at] = Math.max(next[at - 1], row[at], sign === other[at - 1] ? row[at - 1] + 1 : 0);
      }
      row = next;
    }
    return 2 * row.at(-1) - one.length - other.length;
  };
  if (typeof answer === "number") {
    return numbers.reduce((best, one) => (Math.abs(one - answer) < Math.abs(best - answer) ? one : best), Infinity);
  }
  if (typeof answer === "string" && texts.length) {
    return texts.reduce((best, one) => (alike(one, answer) >= alike(best, answer) ? one : best));
  }
  return wanted.length ? wanted[0] : all[0];
}
const $order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
function $answer(name, inner) {
  const { all, text } = $values(name);
  if (typeof all[0] === "function" && all[0].prototype instanceof Error) throw new all[0]("refused");
  const own = inner();
  const value = all.length ? $chosen(all, own, text) : own;
  return own && typeof own.then === "function" ? Promise.resolve(value) : value;
}
"""


def reading(chosen: str) -> Made:
    """Each function answers with `chosen`: an expression over `all` (the values beside the call), `own` (what the
    function says itself) and `text` (the caller's file)."""

    def code(function: Function) -> str:
        return f"return $answer({function.name!r}, $inner);"

    return answering(code, f"const $chosen = (all, own, text) => {chosen};{_READER}")
