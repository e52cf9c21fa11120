import { globSync } from 'node:fs';
import { expect } from 'chai';
import { forEachCase } from '../support/for-each-case.ts';
import { blocksOf, commandsIn } from './code-blocks.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe('A command in the docs', () => {
  it("has no id that only the author's shop had", () =>
    forEachCase(
      [
        'README.md',
        ...globSync('docs/*.md'),
        ...globSync('docs/operations/*.md'),
        ...globSync('docs/guides/*.md'),
      ].toSorted(),
      (file) => {
        const blocks = blocksOf(file).filter(({ language }) => ['', 'sh', 'ts', 'js'].includes(language));
        if (blocks.length === 0) return;
        for (const { language, text } of blocks) {
          const inputs = language === '' ? commandsIn(text).map(({ command }) => command) : [text];
          for (const input of inputs) expect(input).not.to.match(uuid);
        }
      },
    ));
});
