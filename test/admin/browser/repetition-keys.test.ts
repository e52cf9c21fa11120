import { expect } from 'chai';
import { createKeys, type KeyOf } from '#adapters/ops/admin/browser/components/keys.ts';

describe('Idempotency keys of what a person tries again', () => {
  let keyOf: KeyOf;
  beforeEach(() => {
    keyOf = createKeys();
  });

  it('are the same for the same values, and others for others', () => {
    expect(keyOf({ amount: 1 })).to.equal(keyOf({ amount: 1 }));
    expect(keyOf({ amount: 2 })).not.to.equal(keyOf({ amount: 1 }));
  });

  const kept = [
    new Error('Type an amount.'),
    { status: 0, code: 'UNREACHABLE' },
    { status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
    { status: 412, code: 'PRECONDITION_FAILED' },
    { status: 422, code: 'VALIDATION_ERROR' },
    { status: 429, code: 'RATE_LIMITED' },
    { status: 503, code: 'UNAVAILABLE' },
    { status: 504, code: 'UPSTREAM_TIMEOUT' },
  ];

  it('stay after an error behind which it may have happened', () => {
    const key = keyOf({ amount: 1 });
    for (const error of kept) {
      keyOf.afterError(error);
      expect(keyOf({ amount: 1 }), JSON.stringify(error)).to.equal(key);
    }
  });

  it('are new after an error which the old one would repeat', () => {
    for (const [status, code] of [
      [404, 'NOT_FOUND'],
      [409, 'INVALID_STATE'],
      [409, 'OUT_OF_STOCK'],
      [422, 'PAYMENT_DECLINED'],
    ] as const) {
      const [other, key] = [keyOf({ amount: 2 }), keyOf({ amount: 1 })];
      keyOf.afterError({ status, code });
      expect(keyOf({ amount: 1 }), code).not.to.equal(key);
      expect(keyOf({ amount: 2 }), code).to.equal(other);
    }
  });
});
