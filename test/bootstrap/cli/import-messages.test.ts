import { expect } from 'chai';
import { truncateReason } from '#bootstrap/cli/error-messages.ts';
import { resumeHint } from '#bootstrap/cli/import/arguments.ts';
import { productRows } from '#bootstrap/cli/import/product-rows.ts';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const reasonOf = async (line: object): Promise<string> => {
  for await (const { content } of productRows(bytes(JSON.stringify(line)), 'jsonl')) {
    return 'error' in content ? content.error : '';
  }
  return '';
};

const product = { sku: 'A', name: 'Tea', price: { amount: 1, currency: 'EUR' } };

describe('The reason for which a line is rejected', () => {
  it('is bounded in length, however many errors the line has', async () => {
    const fields = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`f${index}`, 1]));
    const reason = await reasonOf({ ...product, ...fields });
    expect(reason).to.match(
      /^f0 is unknown and must be removed; .*; f19 is unknown and must be removed; and 8980 more errors$/,
    );
    const long = await reasonOf({ ...product, ['x'.repeat(50_000)]: 1 });
    expect(long).to.match(/^x{59}… is unknown and must be removed$/);
    expect(truncateReason('y'.repeat(5_000))).to.have.lengthOf(1_000);
  });
});

describe('The command that resumes an import', () => {
  const options = { file: 'a.csv', format: undefined, quiet: false, json: false };

  it('is quoted for a shell, and has the options of the first run', () => {
    const line = 'portico import products a.csv --from-line 501';
    expect(resumeHint(501, options)).to.equal(`To continue, run: ${line}`);
    const more = { ...options, format: 'csv', quiet: true, json: true } as const;
    expect(resumeHint(501, more)).to.equal(`To continue, run: ${line} --format csv --quiet --json`);
    const odd = { ...options, file: "the shop's list.csv" };
    expect(resumeHint(2, odd)).to.equal(
      "To continue, run: portico import products 'the shop'\\''s list.csv' --from-line 2",
    );
  });

  it('asks for the same input when it came from standard input', () => {
    expect(resumeHint(2, { ...options, file: '-' })).to.equal(
      'To continue, send the same input to: portico import products - --from-line 2',
    );
  });
});
