import { once } from 'node:events';
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Random } from '#test/support/random.ts';
import { leave, portOf } from '../../bootstrap/support/ports.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { type Violation, Violations, type violationKinds } from '../violations.ts';
import { type IdempotentRequest, NoFinalResponseError, RetriedRequest } from './retried-request.ts';

type Scripted = (response: ServerResponse) => void;

const respondWith =
  (status: number, body: string, replayed = false): Scripted =>
  (response) =>
    response.writeHead(status, replayed ? { 'Idempotent-Replayed': 'true' } : {}).end(body);

const errorResponse = (status: number, code: string, requestId = 'any', replayed = false): Scripted =>
  respondWith(status, JSON.stringify({ error: { code, message: 'No.' }, request_id: requestId }), replayed);

const created = (id: string, replayed = false): Scripted =>
  respondWith(201, `{"data":{"id":"${id}"}}`, replayed);
const inProgress = errorResponse(409, 'IDEMPOTENCY_KEY_IN_PROGRESS');
const cut: Scripted = (response) => response.destroy();

const idempotentRequest: IdempotentRequest = {
  kind: 'payment',
  method: 'POST',
  path: '/v1/payments',
  token: 'token',
  key: 'a-key',
  body: '{}',
  expectedOutcomes: ['201', '422 PAYMENT_DECLINED'],
};

describe('A chaos request', () => {
  let http: HttpServer;
  let script: Scripted[];
  let server: Parameters<RetriedRequest['attempt']>[0];
  beforeEach(async () => {
    script = [];
    http = createServer((_, response) => script.shift()?.(response)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    server = { name: 'it', port: portOf(http), inFlight: 0, requestSent: () => undefined };
  });
  afterEach(async () => {
    http.closeAllConnections();
    await leave(http);
  });

  /** Sends the request once for each scripted response. @returns the kinds of the violations */
  const sendAll = async (
    responses: readonly Scripted[],
    options: { pace?: number; fencingToken?: () => unknown; about?: { isForgotten: boolean } } = {},
  ) => {
    const found: string[] = [];
    const violations = new Violations(() => undefined);
    const add = violations.add.bind(violations);
    violations.add = (...all: readonly Violation[]) => {
      found.push(...all.map(({ kind }) => kind));
      add(...all);
    };
    const fleet = { upMs: 0, any: () => server };
    const database = { query: async () => [{ fence: options.fencingToken?.() ?? 1 }] };
    const counts = { requests: 0, retries: 0, lost: 0, replays: 0 };
    const limits = { stuckKeyMs: 1_000, unfinishedKeyMs: 3_000 };
    const sent = { ...idempotentRequest, about: options.about };
    const request = new RetriedRequest(sent, { violations, fleet, database, counts, limits });
    // Only the script cuts connections here.
    const steady = new Random(1);
    steady.chance = () => false;
    script.push(...responses);
    while (script.length > 0) {
      fleet.upMs += options.pace ?? 0;
      await request.attempt(server, steady);
    }
    return { found, request, counts, fleet, steady };
  };

  it('accepts one response and its replay', async () => {
    const { found, request, counts } = await sendAll([
      errorResponse(502, 'UPSTREAM_FAILED'),
      cut,
      inProgress,
      created('payment-1'),
      created('payment-1', true),
      cut,
      errorResponse(503, 'SERVICE_UNAVAILABLE'),
      created('payment-1', true),
    ]);
    expect(found).to.deep.equal([]);
    expect(request.response).to.deep.include({ status: 201, code: null });
    expect(counts).to.deep.include({ requests: 8, retries: 3, lost: 2, replays: 2 });
  });

  it('accepts an error that differs in its request id only', async () => {
    const declined = (id: string, replayed: boolean) => errorResponse(422, 'PAYMENT_DECLINED', id, replayed);
    expect((await sendAll([declined('one', false), declined('other', true)])).found).to.deep.equal([]);
  });

  const wrongs: [string, Scripted[], ...(keyof typeof violationKinds)[]][] = [
    ['another body', [created('payment-1'), created('payment-2', true)], 'changedResponses'],
    [
      'another status',
      [created('payment-1'), errorResponse(422, 'PAYMENT_DECLINED', '', true)],
      'changedResponses',
    ],
    ['a replay that was executed again', [created('payment-1'), created('payment-1')], 'changedResponses'],
    ['a key in progress after its response', [created('payment-1'), inProgress], 'changedResponses'],
    [
      'a provider called after the response',
      [created('payment-1'), errorResponse(504, 'UPSTREAM_TIMEOUT')],
      'changedResponses',
    ],
    ['a 500', [errorResponse(500, 'INTERNAL_ERROR'), created('payment-1')], 'unexpectedResponses'],
    ['an unexpected error', [errorResponse(409, 'INVALID_STATE')], 'unexpectedResponses'],
    ['something that is no JSON', [respondWith(200, '<html>')], 'unexpectedResponses'],
  ];
  for (const [title, responses, ...kinds] of wrongs) {
    it(`reports ${title}`, async () => {
      expect((await sendAll(responses)).found).to.deep.equal(kinds);
    });
  }

  it('compares no response once its customer may be erased, but reports an unexpected first one', async () => {
    const about = { isForgotten: true };
    const later = [
      errorResponse(401, 'UNAUTHORIZED'),
      errorResponse(422, 'IDEMPOTENCY_KEY_REUSED'),
      errorResponse(504, 'UPSTREAM_TIMEOUT'),
    ];
    expect((await sendAll([created('payment-1'), ...later], { about })).found).to.deep.equal([]);
    const { found } = await sendAll([errorResponse(401, 'UNAUTHORIZED')], { about });
    expect(found).to.deep.equal(['unexpectedResponses']);
  });

  it('reports a key that is in progress for longer than a lease, once', async () => {
    const { found } = await sendAll(Array(9).fill(inProgress), { pace: 400 });
    expect(found).to.deep.equal(['stuckKeys']);
  });

  it('allows a new lease after each takeover', async () => {
    let token = 0;
    const next = () => {
      token += 1;
      return token;
    };
    expect(
      (await sendAll(Array(20).fill(inProgress), { pace: 400, fencingToken: next })).found,
    ).to.deep.equal([]);
  });

  it('allows a new lease after an attempt whose connection was cut', async () => {
    const responses = [inProgress, inProgress, cut, inProgress, inProgress, cut, inProgress, inProgress];
    expect((await sendAll(responses, { pace: 400 })).found).to.deep.equal([]);
  });

  it('gives up on a key without a final response, and reports it', async () => {
    const { found, request, fleet, steady } = await sendAll([]);
    const time = new SimulatedTime();
    const clock = setInterval(() => {
      fleet.upMs += 1_500;
      script.push(errorResponse(502, 'UPSTREAM_FAILED'));
    }, 1);
    try {
      script.push(errorResponse(502, 'UPSTREAM_FAILED'));
      await time.settle(request.untilFinal(steady), 600_000, 1);
      expect.fail('There was no final response.');
    } catch (error) {
      expect(error).to.be.an.instanceOf(NoFinalResponseError);
    } finally {
      clearInterval(clock);
      time.end();
    }
    expect(found).to.deep.equal(['stuckKeys']);
  });
});
