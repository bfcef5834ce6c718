'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { page, pages } = require('../lib/index.js');

test('a full last page has no next', () => {
  assert.strictEqual(page(['a', 'b', 'c', 'd'], 2, 2).hasNext, false);
});

test('the page before it has', () => {
  assert.strictEqual(page(['a', 'b', 'c', 'd'], 1, 2).hasNext, true);
});

test('one item more makes one page more', () => {
  assert.strictEqual(page(['a', 'b', 'c', 'd', 'e'], 2, 2).hasNext, true);
  assert.strictEqual(pages(5, 2), 3);
});

test('an empty list', () => {
  assert.deepStrictEqual(page([], 1, 10), { number: 1, items: [], hasPrevious: false, hasNext: false });
});

test('beyond the end', () => {
  assert.deepStrictEqual(page(['a', 'b'], 9, 1), {
    number: 2,
    items: ['b'],
    hasPrevious: true,
    hasNext: false,
  });
});

test('before the beginning', () => {
  assert.strictEqual(page(['a', 'b'], 0, 1).number, 1);
});

test('a bad size', () => {
  assert.throws(() => page(['a'], 1, 0), RangeError);
});

test('numbers outside a single page', () => {
  assert.strictEqual(page(['a'], 9, 1).hasPrevious, false);
  assert.strictEqual(page(['a'], -3, 1).hasNext, false);
});

test('a full third page', () => {
  assert.deepStrictEqual(page(['a', 'b', 'c', 'd', 'e', 'f'], 3, 2), {
    number: 3,
    items: ['e', 'f'],
    hasPrevious: true,
    hasNext: false,
  });
});
