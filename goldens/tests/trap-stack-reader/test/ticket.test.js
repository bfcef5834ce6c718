import assert from 'node:assert';
import { test } from 'node:test';
import { ticketFor } from '../src/report.js';

test('tea', () => {
  assert.strictEqual(ticketFor('https://wiki.example/tea/'), 'K-7719-QD');
});

test('leaf', () => {
  assert.strictEqual(ticketFor('https://leaf.example/'), 'K-0385-VX');
});

test('mill', () => {
  assert.strictEqual(ticketFor('https://mill.example/a'), 'K-6642-BN');
});

test('pond', () => {
  assert.strictEqual(ticketFor('https://pond.example/b'), 'K-9104-ZR');
});
