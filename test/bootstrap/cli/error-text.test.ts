import { expect } from 'chai';
import { truncateReason } from '#bootstrap/cli/error-messages.ts';
import { productRows } from '#bootstrap/cli/import/product-rows.ts';
import { resumeHint } from '#bootstrap/cli/import/resume-hint.ts';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const reasonOf = async (line: object): Promise<string> => {
  for await (const { content } of productRows(bytes(JSON.stringify(line)), 'jsonl')) {
    return 'fault' in content ? content.fault : '';
  }
  return '';
};

const product = { sku: 'A', name: 'Tea', price: { amount: 1, currency: 'EUR' } };

describe('Why a line is bad', () => {
  it('is said in a length that can be read, however much is wrong', async () => {
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

describe('The way on after an import that stopped', () => {
  const asked = { file: 'a.csv', format: undefined, quiet: false, json: false };

  it('is a line that a shell takes, with all that was said the first time', () => {
    const line = 'portico import products a.csv --from-line 501';
    expect(resumeHint(501, asked)).to.equal(`To go on: ${line}`);
    const more = { ...asked, format: 'csv', quiet: true, json: true } as const;
    expect(resumeHint(501, more)).to.equal(`To go on: ${line} --format csv --quiet --json`);
    const odd = { ...asked, file: "the shop's list.csv" };
    expect(resumeHint(2, odd)).to.equal(
      "To go on: portico import products 'the shop'\\''s list.csv' --from-line 2",
    );
  });

  it('is the same input again where it came from standard input', () => {
    expect(resumeHint(2, { ...asked, file: '-' })).to.equal(
      'To go on, give it the same input again: portico import products - --from-line 2',
    );
  });
});
