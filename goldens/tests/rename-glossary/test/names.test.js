import assert from 'node:assert';
import { test } from 'node:test';
import * as glossary from '../src/index.js';
import * as terms from '../src/terms.js';

const LIST = [
  { name: 'gybe', see: 'jibe' },
  { name: 'jibe', meaning: 'turning the stern through the wind' },
];

test('the new name finds a term', () => {
  assert.deepStrictEqual(terms.findTerm(LIST, 'Gybe'), {
    name: 'jibe',
    meaning: 'turning the stern through the wind',
  });
});

test('the new name is exported', () => {
  assert.strictEqual(glossary.findTerm(LIST, 'luff'), null);
});

test('the old name is gone', () => {
  assert.strictEqual('lookUp' in glossary, false);
  assert.strictEqual('lookUp' in terms, false);
});

test('the neighbour keeps its name', () => {
  assert.deepStrictEqual(glossary.lookUpAll(LIST, ['luff']), [null]);
});

test('rendering still works', () => {
  assert.deepStrictEqual(glossary.renderList(LIST), [
    'gybe: see jibe',
    'jibe: turning the stern through the wind',
  ]);
});
