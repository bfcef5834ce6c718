'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { firstShift, inOrder, sheet } = require('../lib/index.js');

const WEEK = [
  { who: 'Ida', start: 100, hours: 6 },
  { who: 'Bo', start: 30, hours: 8 },
  { who: 'Cy', start: 6, hours: 8 },
  { who: 'Al', start: 30, hours: 4 },
];

test('by start as a number', () => {
  assert.deepStrictEqual(
    inOrder([...WEEK]).map((shift) => shift.start),
    [6, 30, 30, 100],
  );
});

test('by name where the start is the same', () => {
  assert.deepStrictEqual(
    inOrder([...WEEK]).map((shift) => shift.who),
    ['Cy', 'Al', 'Bo', 'Ida'],
  );
});

test('the first shift', () => {
  assert.strictEqual(firstShift([...WEEK]).who, 'Cy');
});

test('the planner keeps its order', () => {
  const shared = [...WEEK];
  inOrder(shared);
  sheet(shared);
  firstShift(shared);
  assert.deepStrictEqual(
    shared.map((shift) => shift.who),
    ['Ida', 'Bo', 'Cy', 'Al'],
  );
});

test('a frozen array', () => {
  assert.deepStrictEqual(sheet(Object.freeze(WEEK.slice(0, 2))), ['Tue 06:00 Bo (8 h)', 'Fri 04:00 Ida (6 h)']);
});

test('nobody', () => {
  assert.deepStrictEqual(inOrder([]), []);
});
