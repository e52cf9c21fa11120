import { expect } from 'chai';
import { openForwarder, parseReceiverUrl, receiverUrlRule } from '#bootstrap/cli/listen/forwarder.ts';
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

  it('says what to do where nothing listens', async () => {
    const { port } = receiver;
    await receiver.close();
    const forwarder = openForwarder(`http://localhost:${port}/fw`, exampleSecret, machineClock);
    const result = await forwarder.forward('0199c1b2', { type: 'order.paid' }, AbortSignal.timeout(9_000));
    forwarder.close();
    expect(result).to.match(
      /^connection_failed in \d+ ms: no connection to localhost:\d+\. Start the program/,
    );
    receiver = await startReceiver();
  });

  it('says why a URL is rejected', () => {
    const problemOf = (url: string) => receiverUrlRule.violation(url);
    expect(problemOf('http://u:p@localhost:4000')).to.match(/^must not have a user name or password: /);
    expect(problemOf('http://localhost:4000/#a')).to.match(/^must not have a fragment/);
    expect(problemOf('http://localhost:0/')).to.equal('must have a port from 1 to 65535');
    for (const url of ['http://a..b/', 'http://-a.example/'])
      expect(problemOf(url), url).to.match(/^must have a host whose name can exist/);
    expect(problemOf('http://localhost:4000/')).to.equal(undefined);
    for (const url of ['ftp://localhost', 'localhost'])
      expect(parseReceiverUrl(url), url).to.equal(undefined);
  });
});
