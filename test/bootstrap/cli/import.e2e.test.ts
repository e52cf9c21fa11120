import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { euros } from '../../http/support/shop.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { describeOnEach } from '../support/places.ts';
import { ending, portico, runHere } from '../support/portico.ts';
import { startServer } from '../support/server.ts';

describe('An import of products from standard input', () => {
  const folder = temporaryFolder();
  const settings = () => ({ DATABASE_URL: `sqlite:${folder('shop.db')}` });

  it('ends with its own exit code', async () => {
    const header = 'sku,name,price_amount,price_currency\n';
    for (const [input, code, says] of [
      [`${header}STDIN-1,Tea,1,EUR\n`, 0, /^Read 2 lines: 1 added/],
      [`${header}STDIN-2,Tea,1,Euro\n`, 3, /1 rejected/],
      [`${header}STDIN-3,"Tea" x,1,EUR\n`, 1, /^portico: line 2 has a quote/m],
      ['bogus\n', 2, /^portico: The header has an unknown column "bogus"/m],
      ['', 2, /^portico: The file is empty/m],
    ] as const) {
      const words = ['import', 'products', '-', '--format', 'csv'];
      const ended = await ending(portico(words, { settings: settings(), input }));
      expect([ended.code, ended.output + ended.errors]).to.satisfy(
        ([actual, text]: readonly [number, string]) => actual === code && says.test(text),
        `${JSON.stringify(input)}: ${JSON.stringify(ended)}`,
      );
    }
  });
});

describeOnEach('An import of products', (place) => {
  const settings = () => ({ DATABASE_URL: place.url });

  /** Fills what holds the errors of a process that no one reads, so that the import stops between two batches. */
  const rejectedLines = 20_000;

  it('lets a server on the same database respond and change between its batches', async () => {
    const { program, client } = await startServer(settings());
    const add = async () =>
      (await client.post('/v1/products', { name: 'Meanwhile', price: euros(1) })).status;
    const priceOf = async (sku: string) =>
      (await client.get(`/v1/products?sku=${sku}`)).body.data[0]?.price?.amount;
    const line = (sku: string, amount: number): string =>
      `${JSON.stringify({ sku, name: 'Tea', price: { amount, currency: 'EUR' } })}\n`;
    const lines = (count: number, name: string) =>
      Array.from({ length: count }, (_, n) => line(`${name}-${n}`, n));
    const input = [...lines(1_000, 'A'), ...Array(rejectedLines).fill(line('', 1)), ...lines(10_000, 'B')];
    const task = portico(['import', 'products', '-'], { settings: settings(), input: input.join('') });
    task.pauseErrors();
    try {
      await until(
        () => priceOf('A-999'),
        (amount) => amount === 999,
        60_000,
      );
      expect([await add(), await priceOf('B-9999'), task.code]).to.deep.equal([201, undefined, undefined]);
      task.resumeErrors();
      const statuses = new Set<number>();
      while (task.code === undefined) statuses.add(await add());
      expect(await task.ended()).to.equal(3);
      expect([...statuses]).to.deep.equal([201]);
      expect(await priceOf('B-9999')).to.equal(9_999);
    } finally {
      task.resumeErrors();
      await Promise.all([task.kill(), program.kill()]);
    }
  });
});

/** Line `n` holds product `n`. Every thousandth line is invalid, and its report shows how far the import has come. */
const long = (rows: number, words: string): string =>
  Array.from({ length: rows }, (_, index) => {
    const line = index + 1;
    const sku = line % 1000 === 0 ? '""' : `"L-${line}"`;
    return `{"sku":${sku},"name":"${words} ${line}","price":{"amount":${line},"currency":"EUR"}}\n`;
  }).join('');

describeOnEach('A long import', (place) => {
  const folder = temporaryFolder();
  const rows = 20_000;
  const settings = () => ({ DATABASE_URL: place.url });
  const start = (...words: readonly string[]) =>
    portico(['import', 'products', folder('long.jsonl'), ...words], { settings: settings() });
  before(() => writeFileSync(folder('long.jsonl'), long(rows, 'Tea')));

  const skus = async (): Promise<Set<string>> => {
    const { output } = await runHere(['export', 'products', '--quiet'], settings());
    return new Set(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).sku),
    );
  };

  /** The last reported line. */
  const lastReported = (errors: string): number => Number(/line (\d+): [^\n]*\n$/.exec(errors)?.[1] ?? 0);

  it('keeps everything up to the last reported line when it is killed, and completes when run again', async () => {
    // A slow machine would print its progress, too.
    const killed = start('--quiet');
    await killed.printed(/\n/, { on: 'errors' });
    await killed.kill();
    const upTo = lastReported(killed.errors);
    expect(upTo).to.be.within(1000, rows - 1);
    const there = await skus();
    for (let line = 1; line < upTo; line += 1) {
      if (line % 1000 !== 0) expect(there.has(`L-${line}`), `line ${line}`).to.equal(true);
    }
    const { code, output } = await ending(start('--json'));
    expect(code).to.equal(3);
    const summary = JSON.parse(output);
    expect(summary).to.include({ changed: 0, unchanged: there.size, bad: rows / 1000, done: true });
    expect((await skus()).size).to.equal(rows - rows / 1000);
  });

  it('finishes its batch when it is interrupted, and prints the command to continue', async () => {
    writeFileSync(folder('long.jsonl'), long(rows, 'Mate'));
    const interrupted = start('--json');
    await interrupted.printed(/\n/, { on: 'errors' });
    interrupted.signal('SIGINT');
    expect(await interrupted.ended()).to.equal(130);
    const stopped = JSON.parse(interrupted.output);
    expect(stopped).to.include({ added: 0, done: false });
    const { up_to_line: upTo, changed } = stopped;
    expect(upTo).to.be.within(1000, rows - 1);
    expect(changed).to.equal(upTo - stopped.bad);
    expect(interrupted.errors).to.match(
      new RegExp(
        `\nTo continue, run: portico import products \\S+long\\.jsonl --from-line ${upTo + 1} --json\n$`,
      ),
    );
    const { code, output } = await ending(start('--json', '--from-line', `${upTo + 1}`));
    expect(code).to.equal(3);
    const rest = JSON.parse(output);
    expect(rest).to.include({ added: 0, unchanged: 0, changed: rows - rows / 1000 - changed, done: true });
  });
});
