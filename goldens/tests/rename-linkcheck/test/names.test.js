import assert from 'node:assert';
import { test } from 'node:test';
import * as linkcheck from '../src/index.js';
import * as extract from '../src/extract.js';

test('the new name finds links', () => {
  assert.deepStrictEqual(extract.extractLinks('a https://leaf.example/x, b'), [
    { url: 'https://leaf.example/x', at: 2 },
  ]);
});

test('the new name is exported', () => {
  assert.deepStrictEqual(linkcheck.extractLinks('nothing'), []);
});

test('the old name is gone', () => {
  assert.strictEqual('scanLinks' in linkcheck, false);
  assert.strictEqual('scanLinks' in extract, false);
});

test('the neighbour keeps its name', () => {
  assert.deepStrictEqual(linkcheck.scanLinksByLine('x\nhttp://leaf.example/.'), [[], ['http://leaf.example/']]);
});

test('the report still works', () => {
  assert.strictEqual(linkcheck.report('http://leaf.example/'), '  1  http://leaf.example/');
});
