import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookHeaders } from '#adapters/http/client/index.ts';

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const id = '0199c1b2-7a30-7cc3-9f4e-5d2a61b0c7d8';
const body = JSON.stringify({
  id,
  type: 'order.paid',
  sequence: 7,
  data: { name: 'Zoë 😀', note: '\ufffd' },
});

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** What the library of Standard Webhooks sends for this body. */
const signedHeaders = (text = body, { by = [secret], at = nowSeconds() } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': by.map((one) => new Webhook(one).sign(id, new Date(at * 1_000), text)).join(' '),
});

/** The code of the rejection, or the event's type. */
const outcomeOf = (
  text: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[] = secret,
): Promise<string> =>
  verifyWebhook(text, headers, secrets).then(
    (event) => event.type,
    (error) => error.code ?? error.name,
  );

describe('The verification of a webhook by the client', () => {
  it('accepts what the standardwebhooks package signs, as a text or as bytes, and returns the event', async () => {
    const headers = signedHeaders();
    expect(await verifyWebhook(body, headers, secret)).to.deep.equal(JSON.parse(body));
    expect(await verifyWebhook(Buffer.from(body), headers, [secret])).to.deep.equal(JSON.parse(body));
    const bytes = Uint8Array.from(Buffer.from(body));
    for (const form of [bytes, bytes.buffer, new DataView(bytes.buffer)])
      expect(await verifyWebhook(form, headers, secret)).to.deep.equal(JSON.parse(body));
  });

  it('agrees with the standardwebhooks package over any body and secret', async () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 64 });
    await fc.assert(
      fc.asyncProperty(fc.json(), bytes, bytes, async (text, key, other) => {
        fc.pre(Buffer.compare(key, other) !== 0 && !/\p{Surrogate}/u.test(text));
        const [right, wrong] = [key, other].map((one) => `whsec_${Buffer.from(one).toString('base64')}`) as [
          string,
          string,
        ];
        const headers = signedHeaders(text, { by: [right] });
        expect(await verifyWebhook(text, headers, right)).to.deep.equal(
          new Webhook(right).verify(text, headers),
        );
        expect(await outcomeOf(text, headers, wrong)).to.equal('signature');
      }),
      { numRuns: 50 },
    );
  });

  it('accepts the headers of fetch and of Node, in any case', async () => {
    const headers = signedHeaders();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const form of [new Headers(headers), upper, listed])
      expect(await outcomeOf(body, form)).to.equal('order.paid');
  });

  it('accepts one of two secrets and one of two signatures, as during a rotation', async () => {
    const both = signedHeaders(body, { by: [otherSecret, secret] });
    for (const secrets of [secret, otherSecret, [secret, otherSecret]])
      expect(await outcomeOf(body, both, secrets)).to.equal('order.paid');
    expect(await outcomeOf(body, signedHeaders(), [otherSecret, secret])).to.equal('order.paid');
    expect(await outcomeOf(body, signedHeaders(), otherSecret)).to.equal('signature');
    const later = {
      ...both,
      'webhook-signature': `v1a,AAAA v2,${'A'.repeat(43)}= ${both['webhook-signature']}`,
    };
    expect(await outcomeOf(body, later)).to.equal('order.paid');
  });

  it('tolerates five minutes between the clocks, and no more', async () => {
    for (const [seconds, outcome] of [
      [-298, 'order.paid'],
      [298, 'order.paid'],
      [-302, 'timestamp'],
      [302, 'timestamp'],
    ] as const)
      expect(
        await outcomeOf(body, signedHeaders(body, { at: nowSeconds() + seconds })),
        String(seconds),
      ).to.equal(outcome);
  });

  it('rejects another body, id or time', async () => {
    const headers = signedHeaders();
    for (const other of [
      '',
      ' ',
      body.slice(0, -1),
      `${body} `,
      `${body}\n`,
      `\ufeff${body}`,
      body.replace('paid', 'pald'),
    ])
      expect(await outcomeOf(other, headers), other).to.equal('signature');
    expect(await outcomeOf(body, { ...headers, 'webhook-id': `${id}x` })).to.equal('signature');
    expect(await outcomeOf(body, { ...headers, 'webhook-timestamp': String(nowSeconds() + 1) })).to.equal(
      'signature',
    );
  });

  it('rejects a body that was encoded again, though it means the same', async () => {
    const headers = signedHeaders();
    for (const other of [
      JSON.stringify(JSON.parse(body), null, 2),
      body.replace('ë', '\\u00eb'),
      body.replace('ë', 'e\u0308'),
      body.replace('\ufffd', '\ud800'),
      Buffer.from(body, 'utf16le'),
      Buffer.from(body, 'latin1'),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body)]),
      Buffer.from(body.replace('\ufffd', '\xff'), 'latin1'),
    ])
      expect(await outcomeOf(other, headers), String(other)).to.equal('signature');
  });

  it('rejects a signature that is forged, truncated or in another form of base64', async () => {
    const { 'webhook-signature': right, ...headers } = signedHeaders();
    const base64 = right.slice('v1,'.length);
    const timestamp = headers['webhook-timestamp'];
    const unkeyed = createHmac('sha256', '').update(`${id}.${timestamp}.${body}`).digest('base64');
    const flipped = `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;
    const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    // The last letter has two bits that stand for nothing.
    const padding = others[others.indexOf(base64[42] ?? '') ^ 1];
    for (const signature of [
      ...[
        'v1,',
        'v1',
        ',',
        'v1,AAAA',
        base64,
        `v2,${base64}`,
        `V1,${base64}`,
        `v1a,${base64}`,
        `v1,${unkeyed}`,
      ],
      ...[
        `v1,${flipped}`,
        `v1,${base64.slice(0, -1)}`,
        `v1,${base64.slice(0, 22)}`,
        `v1,${base64}=`,
        `v1,${base64}A`,
      ],
      ...[
        `v1,${base64.slice(0, 42)}${padding}=`,
        `v1,${base64.slice(0, -1)}%3D`,
        `v1,\t${base64}`,
        `v1:${base64}`,
      ],
      `v1,${Buffer.from(base64, 'base64').toString('hex')}`,
      `v1,${base64},${base64}`,
    ])
      expect(await outcomeOf(body, { ...headers, 'webhook-signature': signature }), signature).to.equal(
        'signature',
      );
    expect(await outcomeOf(body, { ...headers, 'webhook-signature': `v1,${flipped} ${right}` })).to.equal(
      'order.paid',
    );
  });

  it('rejects headers that are missing, doubled or malformed', async () => {
    const headers = signedHeaders();
    for (const name of Object.keys(headers)) {
      const { [name]: value, ...rest } = headers as Record<string, string>;
      for (const wrong of [
        rest,
        { ...rest, [name]: '' },
        { ...rest, [name]: [value ?? '', value ?? ''] },
        new Headers(rest),
      ])
        expect(await outcomeOf(body, wrong), name).to.equal('headers');
      expect(await outcomeOf(body, { ...headers, [name.toUpperCase()]: value })).to.equal('headers');
    }
    const at = headers['webhook-timestamp'];
    for (const timestamp of [
      `${at}.0`,
      `0${at}`,
      ` ${at}`,
      `${at}abc`,
      '-1',
      '1e9',
      new Date().toISOString(),
      'NaN',
    ])
      expect(await outcomeOf(body, { ...headers, 'webhook-timestamp': timestamp }), timestamp).to.equal(
        'headers',
      );
  });

  it('throws a TypeError for a secret that is none', async () => {
    for (const secrets of [
      [],
      '',
      'whsec_',
      'whsec_!!!!',
      'whsec_AAAAA',
      secret.slice('whsec_'.length),
      [secret, ''],
    ])
      expect(await outcomeOf(body, signedHeaders(), secrets), String(secrets)).to.equal('TypeError');
  });

  it('throws a TypeError for a body that a parser has read before', async () => {
    for (const parsed of [JSON.parse(body), {}, [], null, undefined, 7, true]) {
      const error = await verifyWebhook(parsed, signedHeaders(), secret).catch((thrown: unknown) => thrown);
      expect(error, String(parsed)).to.be.an.instanceOf(TypeError);
      expect((error as Error).message).to.equal(
        'The body must be a string or bytes, as it was received: read it before any JSON parser does.',
      );
    }
    expect(await outcomeOf(JSON.parse(body), {})).to.equal('TypeError');
  });

  it('rejects a signed body that is no JSON', async () => {
    expect(await outcomeOf('{', signedHeaders('{'))).to.equal('signature');
  });
});
