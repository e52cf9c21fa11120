import { once } from 'node:events';
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Random } from '#test/support/random.ts';
import { leave, portOf } from '../bootstrap/support/ports.ts';
import { noCounts } from './counts.ts';
import { GaveUp, Inquiry, type Question } from './inquiry.ts';
import { Server } from './server.ts';
import { type Violation, Violations, type violationKinds } from './violations.ts';

type Scripted = (response: ServerResponse) => void;

const answer =
  (status: number, body: string, replayed = false): Scripted =>
  (response) =>
    response.writeHead(status, replayed ? { 'Idempotent-Replayed': 'true' } : {}).end(body);

const refusal = (status: number, code: string, requestId = 'any', replayed = false): Scripted =>
  answer(status, JSON.stringify({ error: { code, message: 'No.' }, request_id: requestId }), replayed);

const made = (id: string, replayed = false): Scripted => answer(201, `{"data":{"id":"${id}"}}`, replayed);
const inProgress = refusal(409, 'IDEMPOTENCY_KEY_IN_PROGRESS');
const cut: Scripted = (response) => response.destroy();

const question: Question = {
  kind: 'payment',
  method: 'POST',
  path: '/v1/payments',
  token: 'token',
  key: 'a-key',
  body: '{}',
  mayBe: ['201', '422 PAYMENT_DECLINED'],
};

describe('A chaos inquiry', () => {
  let http: HttpServer;
  let script: Scripted[];
  let server: Server;
  beforeEach(async () => {
    script = [];
    http = createServer((_, response) => script.shift()?.(response)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    server = new Server({
      name: 'it',
      port: portOf(http),
      environment: {},
      folder: '.',
      died: () => undefined,
    });
  });
  afterEach(async () => {
    http.closeAllConnections();
    await leave(http);
  });

  /** Asks as often as there are answers. @returns the kinds of what was found */
  const hear = async (
    answers: readonly Scripted[],
    options: { pace?: number; fence?: () => unknown } = {},
  ) => {
    const found: string[] = [];
    const violations = new Violations(() => undefined);
    const add = violations.add.bind(violations);
    violations.add = (...all: readonly Violation[]) => {
      found.push(...all.map(({ kind }) => kind));
      add(...all);
    };
    const fleet = { up: 0, any: () => server };
    const place = { fenceOf: async () => options.fence?.() ?? 1 };
    const counts = noCounts();
    const limits = { stuckKey: 1_000, unansweredKey: 3_000 };
    const inquiry = new Inquiry(question, { violations, fleet, place, counts, limits });
    // Only the script cuts connections here.
    const steady = new Random(1);
    steady.chance = () => false;
    script.push(...answers);
    while (script.length > 0) {
      fleet.up += options.pace ?? 0;
      await inquiry.attempt(server, steady);
    }
    return { found, inquiry, counts, fleet, steady };
  };

  it('is content with one answer and the same again', async () => {
    const { found, inquiry, counts } = await hear([
      refusal(502, 'UPSTREAM_FAILED'),
      cut,
      inProgress,
      made('payment-1'),
      made('payment-1', true),
      cut,
      refusal(503, 'SERVICE_UNAVAILABLE'),
      made('payment-1', true),
    ]);
    expect(found).to.deep.equal([]);
    expect(inquiry.said).to.deep.include({ status: 201, code: null });
    expect(counts).to.deep.include({ requests: 8, retries: 3, lost: 2, replays: 2 });
  });

  it('takes a refusal with another request id for the same', async () => {
    const declined = (id: string, replayed: boolean) => refusal(422, 'PAYMENT_DECLINED', id, replayed);
    expect((await hear([declined('one', false), declined('other', true)])).found).to.deep.equal([]);
  });

  const wrongs: [string, Scripted[], ...(keyof typeof violationKinds)[]][] = [
    ['another body', [made('payment-1'), made('payment-2', true)], 'changedAnswers'],
    ['another status', [made('payment-1'), refusal(422, 'PAYMENT_DECLINED', '', true)], 'changedAnswers'],
    ['a replay that was carried out again', [made('payment-1'), made('payment-1')], 'changedAnswers'],
    ['a key in progress after its answer', [made('payment-1'), inProgress], 'changedAnswers'],
    [
      'a provider asked after the answer',
      [made('payment-1'), refusal(504, 'UPSTREAM_TIMEOUT')],
      'changedAnswers',
    ],
    ['a 500', [refusal(500, 'INTERNAL_ERROR'), made('payment-1')], 'unexpectedAnswers'],
    ['an unexpected error', [refusal(409, 'INVALID_STATE')], 'unexpectedAnswers'],
    ['something that is no JSON', [answer(200, '<html>')], 'unexpectedAnswers'],
  ];
  for (const [title, answers, ...kinds] of wrongs) {
    it(`reports ${title}`, async () => {
      expect((await hear(answers)).found).to.deep.equal(kinds);
    });
  }

  it('reports a key that is in progress for longer than a lease, once', async () => {
    const { found } = await hear(Array(9).fill(inProgress), { pace: 400 });
    expect(found).to.deep.equal(['stuckKeys']);
  });

  it('lets those who take a key up have a lease of their own', async () => {
    let fence = 0;
    const next = () => {
      fence += 1;
      return fence;
    };
    expect((await hear(Array(20).fill(inProgress), { pace: 400, fence: next })).found).to.deep.equal([]);
  });

  it('lets an attempt whose connection was cut have a lease of its own', async () => {
    const answers = [inProgress, inProgress, cut, inProgress, inProgress, cut, inProgress, inProgress];
    expect((await hear(answers, { pace: 400 })).found).to.deep.equal([]);
  });

  it('gives up on a key that never has an answer, and reports it', async () => {
    const { found, inquiry, fleet, steady } = await hear([]);
    const clock = setInterval(() => {
      fleet.up += 1_500;
      script.push(refusal(502, 'UPSTREAM_FAILED'));
    }, 1);
    try {
      script.push(refusal(502, 'UPSTREAM_FAILED'));
      await inquiry.untilFinal(steady);
      expect.fail('There was no answer.');
    } catch (error) {
      expect(error).to.be.an.instanceOf(GaveUp);
    } finally {
      clearInterval(clock);
    }
    expect(found).to.deep.equal(['stuckKeys']);
  });
});
