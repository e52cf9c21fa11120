import { type Finding, findingsFor, type ProviderInspectionOptions } from '#application/ports/inspection.ts';
import { type Call, type ClientOptions, stripeClient, timeBudget } from '../api/client.ts';
import { eventTypes } from '../events/event-types.ts';
import { listEventSources } from './event-sources.ts';
import { type Read, type Reading, readingWith } from './reading.ts';
import { checkWebhooks } from './webhooks.ts';

type Options = ClientOptions & ProviderInspectionOptions & { readonly methods: readonly string[] };

const provider = findingsFor('provider');
const events = findingsFor('events');

/** Checks an account at Stripe for `portico doctor`. It only reads. */
export const inspectStripe = async (options: Options): Promise<readonly Finding[]> => {
  const { secretKey, methods, timeoutMs, eventsPollMs, listens } = options;
  const stripe = stripeClient(options);
  const call: Call = { stripe, methods, budget: timeBudget(timeoutMs) };
  const read = readingWith(secretKey);
  const isTest = secretKey.includes('_test_');
  const key = checkKey(await read(() => stripe.paymentIntents.list({ limit: 1 }, call.budget())), isTest);
  if (key.state === 'fail') return [key];
  const [account, reads, list, sources] = await Promise.all([
    isTest ? [] : checkAccount(call, read),
    checkReads(call, read),
    eventsPollMs === 0 ? undefined : checkEvents(call, read),
    listEventSources(call, read),
  ]);
  const isPolled = list !== undefined && list.state !== 'warn';
  const found = checkWebhooks({ sources, listens, pollMs: isPolled ? eventsPollMs : 0 });
  return [key, ...account, ...reads, ...(list === undefined ? [] : [list]), ...found];
};

/** Whether Stripe is reachable and accepts the key. */
const checkKey = (reading: Reading<unknown>, isTest: boolean): Finding => {
  if ('shown' in reading)
    return provider.ok(`Stripe accepts the key${isTest ? ', a test key: no money moves' : ''}`);
  const { status, reason } = reading;
  if (status === 401) {
    const remedy = 'Set STRIPE_SECRET_KEY to a secret key of your Stripe account.';
    return provider.fail(`Stripe rejects the key: ${reason}`, remedy);
  }
  if (status === 403) {
    const remedy = 'Allow the key to read and write payment intents and refunds.';
    return provider.warn(`the key lacks permissions: ${reason}`, remedy);
  }
  const remedy =
    'Check proxies and firewalls between this machine and Stripe, and STRIPE_API_BASE if it is set.';
  return provider.fail(`Stripe is unreachable: ${reason}`, remedy);
};

/** Whether the account may accept payments with the configured methods. A key that may not read the account is no problem. */
const checkAccount = async ({ stripe, methods, budget }: Call, read: Read): Promise<readonly Finding[]> => {
  const reading = await read(() => stripe.accounts.retrieveCurrent({}, budget()));
  if (!('shown' in reading)) return [];
  const { charges_enabled: isEnabled, capabilities } = reading.shown;
  if (!isEnabled) {
    const remedy = 'Complete its details in the dashboard of Stripe.';
    return [provider.fail('the account at Stripe cannot take payments yet', remedy)];
  }
  const states = new Map(Object.entries(capabilities ?? {}));
  const missing = methods.filter((method) => (states.get(`${method}_payments`) ?? 'active') !== 'active');
  if (missing.length === 0) return [];
  const remedy = 'Turn them on in the dashboard of Stripe, or remove them from STRIPE_METHODS.';
  return [provider.warn(`the account at Stripe takes no payments by ${missing.join(', ')}`, remedy)];
};

/** Whether a restricted key may read all from which Portico learns what became of the money. */
const checkReads = async ({ stripe, budget }: Call, read: Read): Promise<readonly Finding[]> => {
  const readings = await Promise.all([
    read(() => stripe.charges.list({ limit: 1 }, budget())),
    read(() => stripe.refunds.list({ limit: 1 }, budget())),
    read(() => stripe.disputes.list({ limit: 1 }, budget())),
  ]);
  const forbidden = ['charges', 'refunds', 'disputes'].filter((_, index) => {
    const reading = readings[index];
    return reading !== undefined && 'status' in reading && reading.status === 403;
  });
  if (forbidden.length === 0) return [];
  const remedy = 'Allow the key to read them, or no events about payments can be read.';
  return [provider.warn(`the key may not read ${forbidden.join(', ')}`, remedy)];
};

/** Whether the list of events can be read. */
const checkEvents = async ({ stripe, budget }: Call, read: Read): Promise<Finding> => {
  const reading = await read(() => stripe.events.list({ types: [...eventTypes], limit: 1 }, budget()));
  if ('shown' in reading) return events.ok('the list of events at Stripe can be read');
  return reading.status === 403
    ? events.warn('the key may not read the list of events at Stripe', 'Allow the key to read events.')
    : events.warn(`the list of events at Stripe cannot be read: ${reading.reason}`, 'Try again later.');
};
