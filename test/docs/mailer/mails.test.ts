import { expect } from 'chai';
import { type Facts, languageOf, templates } from '../../../docs/examples/mailer/mails.ts';
import { euros } from '../../http/support/shop.ts';

const order: Facts['order'] = {
  number: '6EFA-SPH3-79MK',
  total: euros(507_000),
  shipping: euros(490),
  discount: euros(1_000),
  taxes: [{ rate: 8.1, gross: euros(507_000), net: euros(469_010), tax: euros(37_990) }],
  metadata: {},
};
const facts: Facts = {
  shop: 'Harbour Coffee',
  user: { name: 'Ada Winter', metadata: {} },
  order,
  items: [{ quantity: 1.5, product_name: 'Sidamo', total: euros(507_510) }],
  data: { amount: euros(123_456) },
};

const mail = (type: string, language: 'en' | 'de', changed: Partial<Facts> = {}): readonly string[] => {
  const template = templates.get(type);
  if (template === undefined) throw new Error(`There is no mail about ${type}.`);
  // Intl puts no-break spaces between a number and its sign.
  return template[language]({ ...facts, ...changed }).map((text) => text.replaceAll('\u00a0', ' '));
};

describe('The mails of the example', () => {
  it('confirm a paid order in English', () => {
    expect(mail('order.paid', 'en')).to.deep.equal([
      'Your order 6EFA-SPH3-79MK',
      'Hello Ada Winter,',
      '',
      'thank you for your order 6EFA-SPH3-79MK. It is paid:',
      '',
      '1.5 x Sidamo: €5,075.10',
      'Shipping: €4.90',
      'Discount: -€10.00',
      'Total: €5,070.00',
      'Tax included at 8.1%: €379.90',
      '',
      'Harbour Coffee',
    ]);
  });

  it('confirm a paid order in German', () => {
    expect(mail('order.paid', 'de')).to.include.members([
      'Ihre Bestellung 6EFA-SPH3-79MK',
      'Guten Tag Ada Winter,',
      '1,5 x Sidamo: 5.075,10 €',
      'Versand: 4,90 €',
      'Rabatt: -10,00 €',
      'Summe: 5.070,00 €',
      'Darin Steuer zu 8,1 %: 379,90 €',
    ]);
  });

  it('leave out shipping and a discount of nothing', () => {
    const free = { order: { ...order, shipping: euros(0), discount: euros(0), taxes: [] } };
    expect(mail('order.paid', 'en', free).join('\n')).not.to.match(/Shipping|Discount|Tax/);
  });

  it('say what was refunded, in the minor units of its currency', () => {
    const sums = { EUR: '€1,234.56', JPY: '¥123,456', KWD: 'KWD 123.456' };
    for (const [currency, shown] of Object.entries(sums)) {
      const data = { amount: { amount: 123_456, currency } };
      expect(mail('refund.succeeded', 'en', { data }).join('\n')).to.include(`refunded ${shown} for`);
    }
    expect(mail('refund.succeeded', 'de').join('\n')).to.include('Ihnen 1.234,56 € für Ihre');
  });

  it('are not made of an event without its data', () => {
    for (const data of [undefined, null, {}, { amount: null }])
      expect(() => mail('refund.succeeded', 'en', { data })).to.throw('The event has no amount.');
  });

  it('keep names within their line, whatever they contain', () => {
    const name = 'Ada\r\nBcc: eve@example.com\u2028\u0085\u202eretniW "<b>"';
    const product = { quantity: 1, product_name: 'Tea\n\nTotal: 0', total: euros(1) };
    for (const type of templates.keys())
      for (const language of ['en', 'de'] as const) {
        const lines = mail(type, language, { user: { name, metadata: {} }, items: [product] });
        expect(lines.length).to.equal(mail(type, language).length);
        expect(lines.filter((text) => /[\r\n\u2028\u0085\u202e]/u.test(text))).to.deep.equal([]);
        expect(lines[1]).to.include('Ada Bcc: eve@example.com retniW "<b>",');
      }
  });

  it('are in the language of the order, else of the customer, else in English', () => {
    const written = (ofOrder?: string, ofUser?: string): string =>
      languageOf({
        order: { ...order, metadata: ofOrder === undefined ? {} : { language: ofOrder } },
        user: { name: 'Ada', metadata: ofUser === undefined ? {} : { language: ofUser } },
      });
    expect(written()).to.equal('en');
    expect(written('de')).to.equal('de');
    expect(written(undefined, 'DE-at')).to.equal('de');
    expect(written(undefined, 'de_CH')).to.equal('de');
    expect(written('en', 'de')).to.equal('en');
    expect(written('deu', 'de')).to.equal('en');
  });
});
