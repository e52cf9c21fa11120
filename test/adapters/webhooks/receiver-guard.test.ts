import { expect } from 'chai';
import { messageTo, type Receiver, startReceiver, testSender } from './receiver.ts';

const nameOf = (length: number): string => `${'a'.repeat(60)}.`.repeat(5).slice(0, length);

describe('The guard of receivers', () => {
  const problemOf = (url: string, allow?: string) =>
    testSender(allow === undefined ? {} : { allow }).problemOf(url);

  it('lets https URLs of public hosts through, at port 443 and from 1024 on', () => {
    for (const url of [
      ...[
        'https://example.com/hooks',
        'https://example.com:443/',
        'https://example.com:1024/',
        'https://a.b:65535',
      ],
      ...[
        'https://93.184.216.34/',
        'https://[2606:4700::1111]/',
        'https://bücher.example/',
        'https://example.com./',
      ],
      `https://${nameOf(250)}/`,
    ])
      expect(problemOf(url), url).to.equal(undefined);
  });

  it('names what is wrong with a URL', () => {
    for (const [url, problem] of [
      ['http://example.com/', 'must be an https URL, unless WEBHOOK_ALLOW names its host and port'],
      ['ftp://example.com/', 'must be an https URL, such as https://example.com/webhooks'],
      ['https://example.com:22/', 'must have the port 443 or one from 1024 to 65535, not 22'],
      ['https://example.com:1023/', 'must have the port 443 or one from 1024 to 65535, not 1023'],
      ['https://example.com:80/', 'must have the port 443 or one from 1024 to 65535, not 80'],
      ['https://example.com:0/', 'must have the port 443 or one from 1024 to 65535, not 0'],
    ] as const)
      expect(problemOf(url), url).to.equal(problem);
  });

  it('knows an address in every spelling', () => {
    for (const [what, hosts] of Object.entries({
      '127.0.0.1': [
        ...[
          '127.0.0.1',
          '127.1',
          '127.0.1',
          '2130706433',
          '0x7f.1',
          '0x7f000001',
          '0177.0.0.1',
          '017700000001',
        ],
        ...[
          '127.0.0.1.',
          '0x7f.1.',
          '%31%32%37.0.0.1',
          '１２７.０.０.１',
          '127。0。0。1',
          '127.0.0.1%2e',
          '①②⑦.⓪.⓪.①',
        ],
      ],
      '::1': ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]'],
      '::ffff:7f00:1': ['[::ffff:7f00:1]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:FFFF:127.0.0.1]'],
      '169.254.169.254': [
        '169.254.169.254',
        '0xa9fea9fe',
        '2852039166',
        '0251.0376.0251.0376',
        '169.254.43518',
      ],
    })) {
      for (const host of hosts)
        expect(problemOf(`https://${host}/`), host).to.equal(
          `must not have the address ${what}, which is not public, unless WEBHOOK_ALLOW names it`,
        );
    }
  });

  it('lets through what WEBHOOK_ALLOW names, also over http and at any port', () => {
    const allow =
      'erp.internal:8080, *.corp.example:*, 10.0.0.0/8:25, 127.0.0.1:9000, [fd00::/8]:*, [::1]:80';
    for (const url of [
      ...[
        'http://erp.internal:8080/',
        'https://ERP.internal.:8080/',
        'http://a.corp.example/',
        'http://a.b.corp.example:22/',
      ],
      ...[
        'http://10.255.0.1:25/',
        'http://127.1:9000/',
        'https://[fd12::1]:7/',
        'http://[::1]/',
        'http://0x7f000001:9000/',
      ],
      // Only its addresses decide whether it is in 10.0.0.0/8.
      'http://mail.example:25/',
    ])
      expect(problemOf(url, `${allow}`), url).to.equal(undefined);
  });

  it('lets through nothing else because of WEBHOOK_ALLOW', () => {
    const allow = 'erp.internal:8080,*.corp.example:8080,10.0.0.0/8:8080,127.0.0.1:9000,[::1]:9000';
    for (const url of [
      ...[
        'http://erp.internal:9080/',
        'http://a.erp.internal:81/',
        'http://corp.example:81/',
        'http://evilcorp.example:81/',
      ],
      ...[
        'http://127.0.0.2:9000/',
        'http://127.0.0.1:8080/',
        'https://11.0.0.1:80/',
        'http://192.168.0.1:8080/',
      ],
      ...['https://[::ffff:10.0.0.1]:8080/', 'https://[::ffff:127.0.0.1]:9000/', 'https://[::]:9000/'],
    ])
      expect(problemOf(url, allow), url).to.be.a('string');
  });

  it('rejects an address without a connection', async () => {
    for (const url of [
      'https://127.0.0.1:9443/',
      'https://[::ffff:7f00:1]:9443/',
      'http://example.com/',
      'nothing',
    ])
      expect(await testSender({}).send({ url, id: '1', body: '', secrets: [] }), url).to.include({
        error: 'address_rejected',
        statusCode: null,
        isGone: false,
      });
  });

  describe('of localhost with a dot at its end', () => {
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(() => receiver.close());

    const names = ['localhost', 'localhost.', 'LOCALHOST.'];

    it('finds it where WEBHOOK_ALLOW names it, or its addresses', async () => {
      const { port } = receiver;
      for (const allow of [`localhost:${port}`, `LOCALHOST.:${port}`, `127.0.0.1:${port},[::1]:${port}`]) {
        const sender = testSender({ allow });
        for (const name of names) {
          const url = `http://${name}:${port}/`;
          expect(sender.problemOf(url), `${allow} ${url}`).to.equal(undefined);
          expect((await sender.send(messageTo(url))).error, `${allow} ${url}`).to.equal(null);
        }
        sender.close();
      }
    });

    it('rejects it at a port that WEBHOOK_ALLOW does not name, and asks no name server', async () => {
      const { port } = receiver;
      const sender = testSender({
        allow: `localhost:1,*.localhost:${port},127.0.0.1:1`,
        findAddresses: () => expect.fail('A name server is asked.'),
      });
      for (const name of names) {
        const { error } = await sender.send(messageTo(`https://${name}:${port}/`));
        expect(error, name).to.equal('address_rejected');
      }
      expect(receiver.opened).to.have.length(0);
      sender.close();
    });
  });
});
