import { expect } from 'chai';
import type { ApiResponse, Json } from './client.ts';
import { expectInvalid } from './expectations.ts';

/** Values of a field on both sides of its limits. */
export interface Limit {
  readonly accepts: readonly unknown[];
  readonly rejects: readonly unknown[];
}

/** By the field's name. Names of nested fields are dotted. */
export type Limits = Readonly<Record<string, Limit>>;

/** Sends a body that is valid, or invalid in one field. */
type Send = (body: Json) => Promise<ApiResponse>;

/**
 * Tests which values each field accepts and rejects.
 * @param whole a valid body, in which one field at a time is changed
 */
export const describeLimits = (limits: Limits, whole: object, send: Send): void => {
  for (const [field, { accepts, rejects }] of Object.entries(limits)) {
    it(`accepts ${field} within its limits, and rejects it beyond`, async () => {
      for (const value of accepts) {
        const response = await send(withField(whole, field, value));
        expect(response.status, `${short(value)}: ${response.text}`).to.be.oneOf([200, 201]);
        expect(fieldOf(response.body.data, field)).to.deep.equal(value);
      }
      for (const value of rejects) {
        const response = await send(withField(whole, field, value));
        expect(response.status, `${field}: ${short(value)}`).to.equal(422);
        expectInvalid(response, field);
      }
    });
  }
};

/** Tests that read-only fields are rejected, each by its name. */
export const describeReadOnly = (fields: readonly string[], whole: object, send: Send): void => {
  const unwritable = [...fields, ...everywhere, 'no_such_field'];

  it('rejects fields that are read-only or unknown, and names each', async () => {
    const extra = Object.fromEntries(unwritable.map((field) => [field, '1']));
    expectInvalid(await send({ ...whole, ...extra }), ...unwritable);
  });
};

/** The read-only fields of every resource. */
const everywhere = ['id', 'version', 'created_at', 'updated_at'];

const withField = (whole: Json, field: string, value: unknown): Json => {
  const [first = '', ...rest] = field.split('.');
  return { ...whole, [first]: rest.length === 0 ? value : withField(whole[first], rest.join('.'), value) };
};

const fieldOf = (resource: Json, field: string): unknown =>
  field.split('.').reduce((inner, name) => inner[name], resource);

const short = (value: unknown): string => JSON.stringify(value).slice(0, 60);

/** Text limits in code points, so an emoji counts as one. NUL and lone surrogates are invalid. */
export const textLimit = (least: 0 | 1, most: number): Limit => ({
  accepts: [...(least === 0 ? [''] : []), 'x', 'x'.repeat(most), '🫖'.repeat(most)],
  rejects: [
    ...(least === 0 ? [] : ['']),
    'x'.repeat(most + 1),
    '🫖'.repeat(most + 1),
    'NUL \0',
    '\ud83e',
    7,
    true,
    ['x'],
    {},
  ],
});

export const orNull = ({ accepts, rejects }: Limit): Limit => ({
  accepts: [...accepts, null],
  rejects,
});

export const notNull = ({ accepts, rejects }: Limit): Limit => ({
  accepts,
  rejects: [...rejects, null],
});

const quantities: Limit = {
  accepts: [0.001, 0.999, 1, 1.005, 2.5, 999_999.999, 1_000_000],
  rejects: [-0.001, -1, 0.0001, 1.0005, 1_000_000.001, 1_000_001, 1e300, '1', true, [1], {}],
};

/** Quantities that can be ordered: greater than zero. */
export const orderedLimit: Limit = { accepts: quantities.accepts, rejects: [...quantities.rejects, 0] };

/** Quantities that can be in stock. */
export const stockLimit: Limit = { accepts: [...quantities.accepts, 0], rejects: quantities.rejects };

/** Percents with up to three decimals. */
export const taxRateLimit: Limit = {
  accepts: [0, 0.001, 5.5, 19, 99.999, 100],
  rejects: [-0.001, 100.001, 101, 0.0001, 19.1234, 1e300, '19', '19%', true, [19], {}],
};
