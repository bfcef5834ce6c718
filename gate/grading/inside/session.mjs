// A session over rewritten node tests. The plan comes on standard input, reports go to the private descriptor.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { lineage, said, send } from "./wire.mjs";
import { observer, runAll } from "./tests.mjs";

const plan = JSON.parse(readFileSync(0, "utf8"));
const exit = process.exit.bind(process);
send("hello", plan.nonce);
Object.defineProperty(globalThis, plan.observer, { value: Object.freeze(observer) });
send("ready", plan.nonce);
let code = 0;
for (const file of plan.files) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    send("collect", file, "failed", `${lineage(error)[0]}: ${said(error).message}`.slice(0, 500));
    code = 1;
  }
}
if (code === 0) await runAll();
send("end", plan.nonce, code);
exit(code);
