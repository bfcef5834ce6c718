'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { Turnstile, current, nextFree } = require('../lib/index.js');

test('a moment on the edge no longer counts', () => {
  assert.deepStrictEqual(current([0, 1, 2], 10, 10), [1, 2]);
});

test('a moment just inside does', () => {
  assert.deepStrictEqual(current([0, 1, 2], 9, 10), [0, 1, 2]);
});

test('passing at the very end of the window', () => {
  const gate = new Turnstile({ limit: 1, windowMs: 500 });
  assert.strictEqual(gate.pass(0), true);
  assert.strictEqual(gate.pass(499), false);
  assert.strictEqual(gate.pass(500), true);
});

test('the wait ends when the place is free', () => {
  const gate = new Turnstile({ limit: 1, windowMs: 500 });
  gate.pass(0);
  assert.strictEqual(gate.waitFor(100), 400);
  assert.strictEqual(gate.waitFor(500), 0);
});

test('the next free place', () => {
  assert.strictEqual(nextFree([0, 5], 10, 10, 2), 10);
  assert.strictEqual(nextFree([0, 5], 9, 10, 2), 10);
  assert.strictEqual(nextFree([3, 5], 10, 10, 2), 13);
});

test('a bad limit', () => {
  assert.throws(() => new Turnstile({ limit: 0, windowMs: 500 }), RangeError);
});

test('the next free place among old passages', () => {
  assert.strictEqual(nextFree([0, 5, 90, 95], 99, 10, 2), 100);
  assert.strictEqual(nextFree([0, 5, 95], 99, 10, 2), 99);
  assert.strictEqual(nextFree([90, 95, 97], 99, 10, 2), 105);
});
