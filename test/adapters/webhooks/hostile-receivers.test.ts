import { expect } from 'chai';
import { findByDns } from '#adapters/webhooks/find-addresses.ts';
import type { HttpWebhookSender } from '#adapters/webhooks/sender.ts';
import { Random } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { turnsUntil } from '../../support/turns.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { hostileName, hostileUrl, privateIPv4, privateIPv6, publicIPv4 } from './hostile-urls.ts';
import { messageTo, testSender } from './receiver.ts';
import { watchConnections } from './watch-connections.ts';

const hostileUrls = 8_000;
const hostileNames = 2_000;
const concurrency = 32;

interface Zone {
  readonly answers: (readonly string[])[];
  /** A question that is sent again, because this process had no time for the response, gets the same answer. */
  readonly given: Map<string, readonly string[]>;
}

describe('A hostile receiver', () => {
  let connections: ReturnType<typeof watchConnections>;
  let server: DnsServer;
  let sender: HttpWebhookSender;
  const zones = new Map<string, Zone>();
  /** Sets what a name resolves to from now on, question by question; the last answer repeats. */
  const resolve = (name: string, ...answers: (readonly string[])[]) => {
    zones.set(name, { answers, given: new Map() });
  };

  before(async () => {
    server = await startDnsServer((name, family, id) => {
      const zone = zones.get(name);
      if (zone === undefined) return undefined;
      const question = `${family} ${id}`;
      const { answers, given } = zone;
      const answer = given.get(question) ?? (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      given.set(question, answer);
      return answer;
    });
    sender = testSender({ findAddresses: findByDns([server.server]) });
  });
  beforeEach(() => {
    connections = watchConnections();
    zones.clear();
  });
  afterEach(() => connections.stop());
  after(async () => {
    sender.close();
    await server.close();
  });

  const send = async (url: string): Promise<string | null> => (await sender.send(messageTo(url))).error;

  /** Public addresses are attempted only, because the watcher ends these connections. */
  const expectPublicAttempts = () => {
    for (const address of connections.attempted) expect(address).to.match(/^93\.184\./);
  };

  it('connects to what a public name resolves to, and asks the name server for each connection anew', async () => {
    resolve('shop.example', ['93.184.216.34']);
    expect(await send('https://shop.example/')).to.equal('connection_failed');
    expect(await send('https://shop.example/')).to.equal('connection_failed');
    expect(connections.attempted).to.deep.equal(['93.184.216.34', '93.184.216.34']);
    expect(server.asked.filter((name) => name === 'shop.example')).to.have.length(4);
  });

  it('gains nothing from DNS rebinding: public for the first questions, private from then on', async () => {
    for (const address of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:7f00:1', '64:ff9b::7f00:1']) {
      connections.attempted.length = 0;
      resolve('rebinding.example', ['93.184.216.34'], ['93.184.216.34'], [address]);
      expect(await send('https://rebinding.example/')).to.equal('connection_failed');
      expect(connections.attempted).to.deep.equal(['93.184.216.34']);
      resolve('rebinding.example', [address]);
      expect(await send('https://rebinding.example/')).to.equal('address_rejected');
      expect(connections.attempted).to.deep.equal(['93.184.216.34']);
    }
  });

  it('is rejected when only one of its addresses is private', async () => {
    for (const address of ['127.0.0.1', '::1', '2002:7f00:1::1']) {
      resolve('mixed.example', ['93.184.216.34', address, '2606:4700::1111']);
      expect(await send('https://mixed.example/')).to.equal('address_rejected');
    }
    expect(connections.attempted).to.deep.equal([]);
  });

  it('cannot use a name that means this machine', async () => {
    for (const name of ['localhost', 'localhost.', 'LOCALHOST'])
      expect(await send(`https://${name}:8443/`), name).to.equal('address_rejected');
    expect(connections.attempted).to.deep.equal([]);
  });

  it('has an unknown name, or one whose name server is silent, and costs no more than a timeout', async () => {
    expect(await send('https://unknown.example/')).to.equal('name_unknown');
    const silent = await startDnsServer(() => null);
    const waiting = testSender({ findAddresses: findByDns([silent.server]) });
    const time = new SimulatedTime();
    try {
      const sent = waiting.send(messageTo('https://silent.example/'));
      await turnsUntil(() => silent.asked.length >= 2);
      const result = await time.settle(sent, 20_000, 10);
      expect(result).to.include({ error: 'timed_out', statusCode: null });
      expect(result.durationMs).to.be.closeTo(5_000, 50);
    } finally {
      time.end();
      await silent.close();
    }
  });

  it('is found within a second by the addresses of one family where the name servers never answer for the other', async () => {
    const half = await startDnsServer((_, family) => (family === 4 ? ['192.0.2.1'] : null));
    const time = new SimulatedTime();
    try {
      const begun = time.now;
      const found = findByDns([half.server, half.server])('half.example');
      await turnsUntil(() => half.asked.length >= 2);
      expect(await time.settle(found, 20_000, 10)).to.deep.equal([{ address: '192.0.2.1', family: 4 }]);
      expect(time.now - begun).to.be.within(1_000, 1_200);
    } finally {
      time.end();
      await half.close();
    }
  });

  /** Runs so many at once, so that they also race each other. No time passes for the sender meanwhile, however slow this machine is. */
  const inTurns = async (count: number, run: (index: number) => Promise<void>): Promise<void> => {
    let next = 0;
    const time = new SimulatedTime();
    try {
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let index = next++; index < count; index = next++) await run(index);
        }),
      );
    } finally {
      time.end();
    }
  };

  it('reaches no private address by thousands of hostile URLs', async () => {
    const random = new Random(testSeed());
    const urls = Array.from({ length: hostileUrls }, () => hostileUrl(random));
    let parsed = 0;
    await inTurns(urls.length, async (index) => {
      const url = urls[index] ?? '';
      if (URL.canParse(url)) parsed += 1;
      expect(await send(url), JSON.stringify(url)).to.equal('address_rejected');
    });
    expect(connections.attempted).to.deep.equal([]);
    expect(new Set(urls).size).to.be.greaterThan(hostileUrls * 0.8);
    expect(parsed).to.be.greaterThan(hostileUrls * 0.8);
  });

  it('reaches no private address by thousands of hostile names', async () => {
    const random = new Random(testSeed());
    const counts = { private: 0, mixed: 0, rebinding: 0 };
    await inTurns(hostileNames, async (index) => {
      const [open, hidden] = [
        publicIPv4(random),
        random.chance(0.6) ? privateIPv4(random) : privateIPv6(random),
      ];
      const kind = random.pick(['private', 'mixed', 'rebinding'] as const);
      const name = hostileName(random, kind, index);
      const known = name.toLowerCase().replace(/\.$/, '');
      const mixed = random.chance(0.5) ? [open, hidden] : [hidden, open];
      const url = `https://${name}${random.pick(['', ':8443'])}/`;
      if (kind === 'rebinding') {
        // One question for each family of addresses.
        resolve(known, [open], [open], [hidden]);
        expect(await send(url), url).to.equal('connection_failed');
      }
      resolve(known, kind === 'mixed' ? mixed : [hidden]);
      expect(await send(url), `${url} at ${hidden}`).to.equal('address_rejected');
      counts[kind] += 1;
    });
    expectPublicAttempts();
    expect(connections.attempted).to.have.length(counts.rebinding);
    expect(Math.min(...Object.values(counts))).to.be.greaterThan(400);
  });
});
