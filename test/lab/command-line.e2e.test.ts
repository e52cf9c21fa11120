import { expect } from 'chai';
import { ending } from '../bootstrap/support/portico.ts';
import { Program } from './program.ts';

/** First what the command has started, then the servers that all parts of it share. */
const stopped = 'cleaned up\nstopped what is shared\n';

const start = (...words: readonly string[]): Program => new Program('test/lab/example-command.ts', { words });

describe('A command of the laboratory', () => {
  for (const [word, code, output, errors] of [
    ['holds', 0, stopped, ''],
    ['breaks', 1, stopped, ''],
    ['throws', 1, stopped, 'It has failed.'],
    ['cannot', 2, stopped, 'example: Something is missing.\n'],
    ['--help', 0, 'Usage: example', ''],
  ] as const) {
    it(`ends with ${code} for "${word}", and stops what it has started`, async () => {
      const ended = await ending(start(word));
      expect(ended.code).to.equal(code);
      expect(ended.output).to.match(new RegExp(`^${output}`));
      expect(ended.errors).to.include(errors);
    });
  }

  it('ends with 2 and its usage for wrong arguments', async () => {
    const { code, output, errors } = await ending(start('holds', 'twice'));
    expect({ code, output }).to.deep.equal({ code: 2, output: '' });
    expect(errors).to.match(/^example: It takes one word\.\n\nUsage: /);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`stops what it has started at ${signal}, and ends with 130`, async () => {
      const program = start('waits');
      await program.printed(/waits/);
      program.signal(signal);
      expect(await program.ended()).to.equal(130);
      expect(program.output).to.equal(`waits\n${stopped}`);
    });
  }
});
