import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { root } from '../lab/program.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { blocksOf } from './code-blocks.ts';
import { runShell } from './project.ts';

/** What a new clone does not have. */
const ofThisClone: ReadonlySet<string> = new Set(['.env', '.git', 'data', 'dist']);

describe('README', () => {
  const folder = temporaryFolder();

  it('pays once, when its reader kills the server in the middle of the payment', async () => {
    const clone = folder('portico');
    mkdirSync(clone);
    for (const name of readdirSync(root))
      if (!ofThisClone.has(name)) symlinkSync(join(root, name), join(clone, name));
    const [port, opsPort] = [await freePort(), await freePort()];
    const pasted = blocksOf('README.md')
      .filter(({ language, text }) => language === 'sh' && text.includes('$API/payments'))
      .map(({ text }) => text.replaceAll(':9090', `:${opsPort}`));
    expect(pasted, 'first payment, and the one with the kill').to.have.length(2);
    const output = await runShell(clone, [firstStart(port), ...pasted].join('\n'), port, opsPort);
    expect(output).to.match(
      /"status": "succeeded",\s+"captured": \{\s+"amount": 1290,\s+"currency": "EUR"\s+\}\s+\}\s+1\s+$/,
    );
  });
});

/** The first start, and the customer's key that the reader copies from its output. */
const firstStart = (port: number): string => `
npm start > first.log 2>&1 &
until grep -q '^ *customer' first.log; do sleep 0.2; done
KEY=$(sed -n 's/^ *customer *//p' first.log)
API=http://127.0.0.1:${port}/v1`;
