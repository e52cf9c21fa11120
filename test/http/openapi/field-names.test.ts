import { expect } from 'chai';
import { toPublicError } from '#adapters/http/errors.ts';
import { redactor } from '#adapters/system/log.ts';
import { invalidFields } from '#adapters/wire/json.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';

describe('The name of an unknown field in an error', () => {
  const shownOf = (field: string) =>
    toPublicError(invalidFields([{ field, message: 'No.' }])).details[0]?.field;

  it('is shown unchanged', () => {
    expect(shownOf('prize')).to.equal('prize');
  });

  it('is shortened when it is long', () => {
    expect(shownOf('x'.repeat(100_000))).to.equal(`${'x'.repeat(200)}…`);
  });

  for (const credential of [
    'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
    'my-eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
    `${'x'.repeat(300)} sk_live_abc`,
    `ptc_${'0'.repeat(32)}_abc`,
  ])
    it(`is hidden when it is ${credential.slice(-45)}`, () => {
      expect(shownOf(credential)).to.equal('…');
    });

  /** The search for credentials must take linear time, without backtracking over each part. */
  for (const part of ['eyJ-', 'eyJa-', 'eyJ-eyJ.', 'ptc_', 'a.', 'a-://', 'k_', '://a:']) {
    it(`takes linear time for a hundred thousand times ${part}`, () => {
      const text = part.repeat(100_000);
      expect(cpuTimeOf(() => shownOf(text))).to.be.below(500);
      expect(cpuTimeOf(() => redactor([])(text))).to.be.below(500);
    });
  }
});
