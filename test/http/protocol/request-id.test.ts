import { expect } from 'chai';
import { describeServiceOnMemory } from '../support/service.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

const fresh = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeServiceOnMemory('The request id', {}, (service) => {
  const idsOf = async (lines: readonly string[]): Promise<{ header: string | null; body: string }> => {
    const wire = await Wire.open(service.url);
    const response = await wire
      .write(requestText('GET /v1/none', [credential(service.operator), ...lines]))
      .answer();
    wire.destroy();
    return { header: response.headers.get('X-Request-Id'), body: response.body.request_id };
  };

  for (const id of [
    'a',
    'abc-123',
    'a'.repeat(200),
    '!"#$%&\'()*+,-./:;=?@[\\]^_`{|}~',
    '00-4bf92f3577b34da6-01',
  ]) {
    it(`is the client’s own: ${id.slice(0, 40)}`, async () => {
      expect(await idsOf([`X-Request-Id: ${id}`])).to.deep.equal({ header: id, body: id });
    });
  }

  for (const [what, lines] of Object.entries({
    'there is none': [],
    'it is empty': ['X-Request-Id:'],
    'it has 201 characters': [`X-Request-Id: ${'a'.repeat(201)}`],
    'it has 8 KB': [`X-Request-Id: ${'a'.repeat(8192)}`],
    'it has a space in it': ['X-Request-Id: a b'],
    'it has a tab in it': ['X-Request-Id: a\tb'],
    'it is HTML': ['X-Request-Id: <script>alert(1)</script>'],
    'it is in latin1': ['X-Request-Id: caf\xe9'],
    'it is in UTF-8': ['X-Request-Id: caf\xc3\xa9'],
    'it is given twice': ['X-Request-Id: one', 'X-Request-Id: two'],
    'it is given twice the same': ['X-Request-Id: one', 'x-request-id: one'],
  })) {
    it(`is a new one when ${what}`, async () => {
      const { header, body } = await idsOf(lines);
      expect(header).to.match(fresh);
      expect(body).to.equal(header);
    });
  }

  it('is unique for each request without one', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => service.stranger.get('/v1/products')),
    );
    expect(new Set(responses.map(({ headers }) => headers.get('X-Request-Id')))).to.have.lengthOf(50);
  });
});
