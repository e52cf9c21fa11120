import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { disputeStatuses } from '#domain/dispute.ts';
import { orderStatuses } from '#domain/order.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { refundStatuses } from '#domain/refund.ts';
import { page } from '../support/access-matrix.ts';

const resources = {
  'an order': orderStatuses,
  'a payment': paymentStatuses,
  'a refund': refundStatuses,
  'a dispute': disputeStatuses,
} as const;

/** The picture of the states of a resource, and the first cells of its table. */
const statesOf = (resource: string): { readonly picture: string; readonly rows: readonly string[] } => {
  const [, rest = ''] = readFileSync(page, 'utf8').split(`\n#### States of ${resource}\n`);
  const [section = ''] = rest.split('\n###');
  const [, picture = '', table = ''] = section.split('```');
  const rows = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
  return { picture, rows };
};

describe('The pictures of states in docs/api.md', () => {
  for (const [resource, statuses] of Object.entries(resources))
    it(`have each status of ${resource}, and say what it allows and who ends it`, () => {
      const { picture, rows } = statesOf(resource);
      const drawn = picture.match(/[a-z_]{3,}/g) ?? [];
      expect(drawn).to.include.members([...statuses]);
      const told = rows.flatMap((cell) => cell.match(/[a-z_]+/g) ?? []);
      expect(told).to.have.members([...statuses]);
    });
});
