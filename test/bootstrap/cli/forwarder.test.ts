import { expect } from 'chai';
import { openForwarder, parseReceiverUrl } from '#bootstrap/cli/listen/forwarder.ts';
import { exampleSecret, type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { machineClock } from '../../support/machine.ts';

describe('The forwarder of portico listen', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  it('reaches this machine by each spelling of its name', async () => {
    for (const host of ['localhost', 'localhost.', 'LOCALHOST.', '127.0.0.1']) {
      const url = parseReceiverUrl(`http://${host}:${receiver.port}/fw`) ?? expect.fail('It is a URL.');
      const forwarder = openForwarder(url, exampleSecret, machineClock);
      const result = await forwarder.forward('0199c1b2', { type: 'order.paid' }, AbortSignal.timeout(9_000));
      forwarder.close();
      expect(result, host).to.match(/^204 in \d+ ms$/);
    }
    expect(receiver.received).to.have.length(4);
  });
});
