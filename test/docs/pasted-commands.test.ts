import { globSync } from 'node:fs';
import { expect } from 'chai';
import { blocksOf, commandsIn } from './code-blocks.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe('A command in the docs', () => {
  for (const file of ['README.md', ...globSync('docs/*.md'), ...globSync('docs/guides/*.md')].toSorted()) {
    const blocks = blocksOf(file).filter(({ language }) => ['', 'sh', 'ts', 'js'].includes(language));
    if (blocks.length === 0) continue;
    it(`has no id that only the author's shop had: ${file}`, () => {
      for (const { language, text } of blocks) {
        const inputs = language === '' ? commandsIn(text).map(({ command }) => command) : [text];
        for (const input of inputs) expect(input).not.to.match(uuid);
      }
    });
  }
});
