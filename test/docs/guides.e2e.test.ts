import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { readGuides } from '#adapters/ops/docs/guides.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { blocksOf } from './code-blocks.ts';
import { needsProject, settingsIn, stepsOf } from './guide.ts';
import { ReadersShop } from './readers-shop.ts';

const mark = '--- the next block ---';

/** Whether a guide takes payments by Stripe. */
const needsStripe = (markdown: string): boolean => markdown.includes('PAYMENT_PROVIDER=stripe');

/** Pages in the order in which a newcomer reads them, and behind them those that the server does not show. */
const pages = new Set([
  'README.md',
  ...(await readGuides())
    .map(({ path }) => `docs/guides/${basename(path)}.md`)
    .filter((file) => existsSync(file)),
  ...globSync('docs/guides/*.md').toSorted(),
]);

describe('One shop, on which a newcomer pastes every block from the README on', () => {
  const folder = temporaryFolder();
  let shop: ReadersShop | undefined;
  before(async function () {
    if (spawnSync('jq', ['--version']).status !== 0) {
      process.stderr.write('The guides need jq: apt-get install jq.\n');
      this.skip();
    }
    shop = await ReadersShop.open(folder('portico'));
  });
  after(() => shop?.close());
  const outputs = new Map<string, string>();

  for (const file of pages) {
    const markdown = readFileSync(file, 'utf8');
    if (needsProject(markdown)) continue;
    const runnable = stepsOf(markdown).filter(({ notRun }) => notRun === undefined);

    it(`does what is shown: ${file}`, async () => {
      expect(runnable.length).to.be.greaterThan(0);
      const settings = settingsIn(markdown);
      if (settings !== '') await shop?.addSettings(settings, needsStripe(markdown));
      const commands = runnable.map(({ command }) => command);
      // The next guides are about the sandbox again, also after one that has failed.
      const output = await shop?.run(commands, mark).finally(async () => {
        if (needsStripe(markdown)) await shop?.removeSettings();
      });
      outputs.set(file, output ?? '');
      const responses = (output ?? '').split(`${mark}\n`);
      for (const [place, { command, expected }] of runnable.entries())
        if (expected) expect(responses[place]?.trim(), command).to.match(expected);
    });
  }

  it('reads products with the key for pages that the guide had made', async () => {
    const [key = 'no key'] = /ptp_\S+/.exec(outputs.get('docs/guides/from-a-browser.md') ?? '') ?? [];
    const page =
      blocksOf('docs/guides/from-a-browser.md').find(({ language }) => language === 'js')?.text ?? '';
    const program = `${page.replace('ptp_…', key)}\nconsole.log(data.length);`;
    const output = await shop?.run([`node --input-type=module <<'END'\n${program}\nEND`], mark);
    expect(output?.split('\n')[0]).to.equal('3');
  });
});
