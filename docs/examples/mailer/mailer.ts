import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { orThrow, portico, verifyWebhook, WebhookVerificationError } from 'portico/client';
import { type Facts, languageOf, templates } from './mails.ts';

type Event = Awaited<ReturnType<typeof verifyWebhook>>;

const setting = (name: string, byDefault?: string): string => {
  const value = process.env[name] || byDefault;
  if (value === undefined) throw new Error(`Set ${name}.`);
  return value;
};
const secrets = setting('WEBHOOK_SECRETS').split(',');
const from = setting('MAIL_FROM');
const shopName = setting('SHOP_NAME');
const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1];
if (domain === undefined) throw new Error('MAIL_FROM has no address.');

const shop = portico({
  url: setting('PORTICO_URL', 'http://127.0.0.1:3000'),
  key: setting('PORTICO_KEY'),
  totalMilliseconds: 5_000,
});
// After the mail is sent, nodemailer waits ten minutes for the 250: who gives up earlier sends the mail twice (RFC 5321 4.5.3.2.6).
const transport = createTransport({
  url: setting('SMTP_URL'),
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
});

/** Which mails were sent. The lock keeps a second mailer from starting on the same file. */
const notes = new DatabaseSync(setting('NOTES', 'mailer.db'), { timeout: 5_000 });
notes.exec(`
  pragma locking_mode = exclusive;
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists mails (event_id text primary key, begun_at text not null, sent_at text) strict`);
const find = notes.prepare('select sent_at from mails where event_id = ?');
const begin = notes.prepare('insert or ignore into mails values (?, ?, null)');
const finish = notes.prepare('update mails set sent_at = ? where event_id = ?');

const readFacts = async (orderId: string): Promise<Omit<Facts, 'data' | 'shop'> & { to?: string }> => {
  const path = { order_id: orderId };
  const { data: order } = orThrow(await shop.send('GET /orders/{order_id}', { path }));
  const { data: user } = orThrow(
    await shop.send('GET /users/{user_id}', { path: { user_id: order.user_id } }),
  );
  const items: Facts['items'][number][] = [];
  for await (const item of shop.each('GET /orders/{order_id}/items', { path, query: { limit: 100 } }))
    items.push(item);
  return { order, user, items, ...(user.status === 'active' && { to: user.email }) };
};

/** Events whose mail the SMTP server has taken and whose note could not be written, as on a full disk. */
const unnoted = new Set<string>();

/** Sends the mail about an event, unless it was sent. @returns what has become of it @throws when it is to be tried again */
const send = async ({ id, type, order_id: orderId, data, test }: Event): Promise<string> => {
  const template = templates.get(type);
  if (template === undefined || orderId === null || test) return 'ignored';
  if (find.get(id)?.['sent_at']) return 'sent before';
  if (!unnoted.has(id)) {
    const { to, ...facts } = await readFacts(orderId);
    if (to === undefined) return 'user erased';
    const [subject, ...body] = template[languageOf(facts)]({ ...facts, data, shop: shopName });
    begin.run(id, new Date().toISOString());
    await transport.sendMail({
      ...{ from, to: { name: '', address: to }, subject, text: body.join('\n') },
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    unnoted.add(id);
  }
  finish.run(new Date().toISOString(), id);
  unnoted.delete(id);
  return 'sent';
};

/** The outcome where another attempt would end as this one. @throws the error where it may not */
const finalOutcome = (error: unknown): string => {
  const { code, command, responseCode } = Object(error);
  // The server has refused the address for good, and not the sender, the password or the text.
  if (code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 500) return 'address refused';
  if (code === 'NOT_FOUND') return 'no such order or user';
  throw error;
};

const underWay = new Map<string, Promise<string>>();

/** As `send`, once at a time for each event: a delivery that comes meanwhile waits for the same end. */
const sendOnce = (event: Event): Promise<string> => {
  const sending =
    underWay.get(event.id) ??
    send(event)
      .catch(finalOutcome)
      .finally(() => underWay.delete(event.id));
  underWay.set(event.id, sending);
  return sending;
};

/** An error without its message, in which SMTP servers repeat the address. */
const withoutMessage = (error: unknown) => {
  const { name, code, command, responseCode, status, requestId, stack } = Object(error);
  return { name, code, command, responseCode, status, requestId, at: /^ {4}at (.+)$/m.exec(stack)?.[1] };
};

const log = (fields: object): void => console.log(JSON.stringify({ time: new Date(), ...fields }));

const respond = async (request: Parameters<typeof text>[0], headers: NodeJS.Dict<string | string[]>) => {
  if (!(Number(headers['content-length']) <= 1_000_000)) return 413;
  const event = await verifyWebhook(await text(request), headers, secrets);
  const about = { event_id: event.id, type: event.type };
  try {
    log({ ...about, outcome: await sendOnce(event) });
    return 204;
  } catch (error) {
    log({ ...about, outcome: 'failed', ...withoutMessage(error) });
    return 503;
  }
};

const server = createServer((request, response) => {
  respond(request, request.headers)
    .catch((error: unknown) => {
      log({ outcome: 'rejected', ...withoutMessage(error) });
      return error instanceof WebhookVerificationError ? 400 : 500;
    })
    .then((status) => response.writeHead(status, server.listening ? {} : { Connection: 'close' }).end());
});
server.listen(Number(setting('PORT', '4010')), '127.0.0.1', () => log({ outcome: 'listening' }));
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.close());
