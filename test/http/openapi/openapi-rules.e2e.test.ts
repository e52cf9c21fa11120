import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { served } from '../support/described.ts';

const rules = join(import.meta.dirname, 'rules');
const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

describe('The OpenAPI document, by the rules of Redocly,', () => {
  it('has no violation of the strict rules of Redocly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-description-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(served));
      // Without telemetry and update checks, so that the test needs no network.
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const lint = ['lint', '--config', join(rules, 'redocly.yaml'), '--format', 'json', file];
      const { stdout } = await promisify(execFile)(process.execPath, [redocly, ...lint], {
        env,
        cwd: folder,
      }).catch((failed: { readonly stdout: string }) => failed);
      const { problems, totals } = JSON.parse(stdout);
      expect(problems).to.deep.equal([]);
      expect(totals).to.deep.equal({ errors: 0, warnings: 0, ignored: 0 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
