import { openLog } from '#adapters/system/log.ts';

/** Writes many lines of requests, with a warning in the middle, and ends in the given way. */
const [way = '', number = '1'] = process.argv.slice(2);
const log = openLog('info');

const responded = (count: number): void =>
  log.logRequest({
    requestId: `${count}`,
    method: 'GET',
    route: '/v1/products',
    status: 200,
    milliseconds: 1,
    ending: 'answered',
    client: { address: '127.0.0.1', userAgent: undefined },
    errorCode: undefined,
    caller: undefined,
    unavailableReason: undefined,
  });

const lines = Number(number);
for (let count = 1; count <= lines; count += 1) {
  responded(count);
  if (count === Math.ceil(lines / 2)) log.warn('half');
}

const endings: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(3),
  throw: () => {
    throw new TypeError('a mistake');
  },
  reject: () => Promise.reject(new TypeError('a mistake')),
  close: () => log.close(),
  // Until the test writes to standard input.
  stay: () => {
    process.stdout.write('written\n');
    const timer = setInterval(() => responded(0), 1);
    process.stdin.once('data', () => {
      clearInterval(timer);
      process.stdout.write(`${log.dropped()} ${process.memoryUsage().rss}\n`, () => process.exit(0));
    });
  },
};
endings[way]?.();
