import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect } from 'chai';
import { moduleFiles } from '#adapters/ops/module-files.ts';

const root = new URL('../../adapters/', import.meta.url);

/** A program without its types and comments, in the layout of the compiler. */
const programOf = (source: string): string => stripTypeScriptTypes(source, { mode: 'transform' });

describe('A module that a browser is sent', () => {
  const { emitWarning } = process;
  // Node warns of the function once.
  before(() => {
    process.emitWarning = () => undefined;
  });
  after(() => {
    process.emitWarning = emitWarning;
  });

  for (const folder of [
    ...['ops/admin/browser/', 'ops/docs/browser/', 'ops/docs/samples/', 'http/client/', 'product-files/'],
  ])
    it(`is its source without types and comments, line by line, in ${folder}`, async () => {
      const files = await moduleFiles(new URL(folder, root), (file) => file);
      const modules = files.filter(([path]) => path.endsWith('.ts'));
      expect(modules.length).to.be.above(5);
      for (const [path, create] of modules) {
        const source = readFileSync(new URL(folder + path, root), 'utf8');
        const sent = (await create()).identity.bytes.toString();
        expect(programOf(sent), path).to.equal(programOf(source));
        expect(sent.split('\n').length, path).to.equal(source.split('\n').length);
        expect(sent, path).not.to.match(/^(?:(?:import|export) type |(?:export )?interface |\/\*\*)/m);
      }
    });
});
