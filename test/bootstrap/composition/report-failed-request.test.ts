import { expect } from 'chai';
import { ApplicationError, UnavailableError } from '#application/errors.ts';
import { reportFailedRequest } from '#bootstrap/composition/listeners/bind-listeners.ts';

describe('A request that has failed', () => {
  const reported = (error: unknown) => {
    const lines: [where: string, fields: object][] = [];
    const report = reportFailedRequest({
      error: (fields: object) => lines.push(['error', fields]),
      report: (level, fields) => lines.push([`fault at ${level}`, fields]),
    });
    report(error, 'the-request');
    return lines;
  };

  it('has a line of its own, with the payment and order of a call of the provider', () => {
    const error = new ApplicationError('provider-failed', 'It fails.');
    error.concerned = { paymentId: 'p', orderId: 'o' };
    const fields = { err: error, requestId: 'the-request', paymentId: 'p', orderId: 'o' };
    expect(reported(error)).to.deep.equal([['error', fields]]);
  });

  it('is a part of the fault that lasts when it cannot be served now', () => {
    for (const reason of ['database-unavailable', 'deadline-exceeded', 'conflict'] as const)
      expect(reported(new UnavailableError(reason))[0]?.[0]).to.equal('fault at error');
  });
});
