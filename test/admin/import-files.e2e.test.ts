import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdminOnce } from './describe-admin.ts';
import { chooseFile, countsOf } from './import-steps.ts';

/** It rests at least so often while it reads all lines, or makes products of them: not more than 250 at once. */
const restsPerPass = 49_990 / 250 - 1;

describeAdminOnce('Files of imports on the admin page', (admin) => {
  beforeEach(() => admin.open('/products/import'));

  const bySku = async (sku: string): Promise<Json> =>
    (await admin.client.get(`/v1/products?sku=${sku}`)).body.data[0];
  const errors = () => admin.page.getByLabel('These lines have errors').inputValue();

  const rows = (delimiter: string, end = '\r\n') =>
    [
      ['SKU', 'Name', 'Price', 'Currency'],
      ['ENC-1', 'Käse, würzig – 20 €', '14,50', 'EUR'],
    ]
      .map((cells) => cells.join(delimiter) + end)
      .join('');
  const files: readonly (readonly [name: string, content: Uint8Array])[] = [
    ['with semicolons in UTF-8 with its mark', Buffer.from(`\ufeff${rows(';')}`)],
    ['with semicolons in the encoding of Windows', Buffer.from(windows1252(rows(';')))],
    ['with tabs in UTF-16, as Excel saves “Unicode text”', Buffer.from(`\ufeff${rows('\t')}`, 'utf16le')],
    ['with tabs in the other UTF-16', Buffer.from(`\ufeff${rows('\t')}`, 'utf16le').swap16()],
    ['with the separator in its first line', Buffer.from(`sep=;\r\n${rows(';')}`)],
    ['of an old Macintosh', Buffer.from(rows(';', '\r'))],
  ];
  for (const [name, content] of files)
    it(`are read ${name}`, async () => {
      const { page } = admin;
      await chooseFile(page, content);
      await page.getByRole('button', { name: 'Import 1 product' }).click();
      expect(await countsOf(page)).to.equal('Added 1 Updated 0 Unchanged 0 With errors 0');
      const { id, name: stored, price } = await bySku('ENC-1');
      expect([stored, price]).to.deep.equal(['Käse, würzig – 20 €', { amount: 1450, currency: 'EUR' }]);
      await admin.client.delete(`/v1/products/${id}`);
    });

  it('that are no text are refused in plain words', async () => {
    const { page } = admin;
    for (const [content, message] of [
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /This is an Excel file/],
      [Buffer.from(rows('\t'), 'utf16le'), /This is no text that can be read/],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), /This is no text that can be read/],
    ] as const) {
      await chooseFile(page, content);
      await page.getByRole('alert').getByText(message).waitFor();
      await page.reload();
      await page.locator('input[type=file]').waitFor();
    }
  });

  it('of 50,000 lines do not freeze the page', async () => {
    const { page } = admin;
    const lines = Array.from(
      { length: 50_000 },
      (_, n) => `BIG-${n},"Product ${n}, large",12.50,${n % 100},"tea, green"${n % 5_000 === 7 ? '"' : ''}`,
    );
    // The page posts itself a message each time that it lets the browser draw and hear clicks.
    await page.evaluate(`
      window.rests = 0;
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (...given) {
        window.rests += 1;
        return postMessage.apply(this, given);
      };
    `);
    const rests = async () => Number(await page.evaluate('window.rests'));
    await chooseFile(page, `SKU,Name,Price,Stock,Tags\n${lines.join('\n')}\n`);
    await page.getByRole('button', { name: 'Import 49,990 products' }).waitFor({ timeout: 60_000 });
    const restsOfReading = await rests();
    expect(restsOfReading).to.be.at.least(2 * restsPerPass);
    expect((await errors()).split('\n')).to.have.lengthOf(10);
    await page.getByLabel('What Tags is').selectOption('Left out');
    await page.getByRole('button', { name: 'Import 49,990 products' }).click({ timeout: 60_000 });
    expect((await rests()) - restsOfReading).to.be.at.least(restsPerPass);
    await page.getByText(/^[1-9]\d* of 49,990/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await countsOf(page)).to.match(/Not sent 49,\d{3}$/);
  });
});

/** Node writes Latin 1 only, which lacks the dash and the euro. */
function windows1252(text: string): Uint8Array {
  const others: Readonly<Record<string, number>> = { '€': 0x80, '–': 0x96 };
  return Uint8Array.from(text, (character) => others[character] ?? character.charCodeAt(0));
}
