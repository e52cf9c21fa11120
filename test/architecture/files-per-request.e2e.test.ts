import { expect } from 'chai';
import { type FilesPerRequest, filesPerRequest } from './files-per-request.ts';

/** Reading the path of a request means opening these files. Before you raise this, merge two that are one idea.
 * The numbering of events, one file more, may run during a payment. */
const maxFiles = { payment: 119, read: 53 };

describe('The files that a request passes through on PostgreSQL', () => {
  let files: FilesPerRequest;

  before(async function () {
    this.timeout(60_000);
    files = await filesPerRequest();
  });

  for (const [kind, max] of Object.entries(maxFiles) as [keyof FilesPerRequest, number][]) {
    it(`are at most ${max} for a ${kind}`, () => {
      const list = files[kind];
      expect(list.length, list.join('\n')).to.be.within(1, max);
    });
  }

  it('are those of its use case, from the router to the store', () => {
    expect(files.payment).to.include.members(['application/use-cases/payments.ts', 'domain/payment.ts']);
    expect(files.read).to.include('application/use-cases/products.ts');
    expect(files.read).not.to.include.oneOf(['application/use-cases/payments.ts', 'domain/payment.ts']);
    for (const list of [files.payment, files.read]) {
      expect(list.some((file) => file.startsWith('adapters/http/'))).to.equal(true);
      expect(list.some((file) => file.startsWith('adapters/persistence/postgres/'))).to.equal(true);
    }
  });
});
