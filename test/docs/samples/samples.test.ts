import { expect } from 'chai';
import { type Sample, type SampleRequest, samplesOf } from '#adapters/ops/docs/samples/index.ts';

describe('The samples of the reference', () => {
  const textOf = (request: SampleRequest, language: Sample['language']): string =>
    samplesOf(request).find((sample) => sample.language === language)?.text ?? '';

  it('show a placeholder for what is missing, and for what would name another path', () => {
    for (const id of ['', '.', '..']) {
      const request: SampleRequest = {
        ...{ origin: 'https://shop.example/api/', key: '', method: 'GET', path: '/v1/orders/{order_id}' },
        ...{ pathValues: { order_id: id }, query: {}, headers: { 'If-Match': '' } },
      };
      expect(textOf(request, 'curl')).to.equal(
        `curl 'https://shop.example/api/v1/orders/ORDER_ID' \\\n  -H 'Authorization: Bearer YOUR_API_KEY'`,
      );
      expect(textOf(request, 'typescript'))
        .to.include(`url: 'https://shop.example/api', key: 'YOUR_API_KEY'`)
        .and.include(`path: { order_id: 'ORDER_ID' }`);
    }
  });

  it('escape signs that a reader cannot see', () => {
    const body = { note: 'a\u202eb\u200bc\u2028' };
    const request = { origin: '', key: '', method: 'POST', path: '/v1/orders', pathValues: {}, query: {} };
    for (const { text } of samplesOf({ ...request, headers: {}, body }))
      expect(text).to.include('a\\u202eb\\u200bc\\u2028');
  });
});
