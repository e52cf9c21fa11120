import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { inspectStore } from '../../composition/ports/open-store.ts';
import { SettingError } from '../../config/env-parser.ts';
import { checkCapabilities } from '../doctor/capabilities.ts';
import { checkCors } from '../doctor/cors.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkCertificate, checkPorts } from '../doctor/listeners.ts';
import { checkDisk, checkNode } from '../doctor/machine.ts';
import { checkForProduction, type ProductionOptions } from '../doctor/production/checks.ts';
import { checkIdentityProvider, checkModules, checkPaymentProvider } from '../doctor/providers.ts';
import { checkTexts } from '../doctor/texts.ts';
import { checkWebhooks } from '../doctor/webhooks.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { exitCodes, UsageError } from '../framework/exit-codes.ts';
import { escapeControl, type Terminal } from '../framework/terminal.ts';
import { loadSettings } from '../load-settings.ts';

const unitsInMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Parses `30s`, `1500ms` or `2m`. @returns milliseconds; undefined for anything else */
const parseDuration = (text: string): number | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,7})(ms|s|m)$/.exec(text) ?? [];
  const length = unitsInMs[unit];
  return length === undefined ? undefined : Number(count) * length;
};

export const doctor = command({
  name: 'doctor',
  description: 'Check everything that Portico needs, and say how to fix what is wrong.',
  isReadOnly: true,
  details: [
    'Checks Node, the settings, the database with its migrations, clock and replicas, the stored texts, the disk, the ports, the certificate, what browsers may send, the key of webhook secrets, the payment provider and the identity provider. Changes nothing.',
    'With --production it also checks what real clients need: encryption on the way to the database, keys of administrators, backups, the clock of this machine, the public address and its proxy, and the payment provider.',
    'Exit code 1 when a check fails. Warnings do not count.',
  ],
  options: {
    json: flag('Print the findings as JSON.'),
    production: flag('Also check what must hold before you go live.'),
    backups: value('PATH', {
      description: 'With --production: a backup, or the folder that has them.',
      parse: nonEmpty,
    }),
    proxyTimeout: value('TIME', {
      description: 'With --production: how long the proxy in front waits for a response, such as 30s.',
      expects: 'a duration such as 30s or 1500ms',
      parse: parseDuration,
    }),
  },
  run: async ({ json, production, backups, proxyTimeout }, terminal) => {
    if (!production && (backups !== undefined || proxyTimeout !== undefined)) {
      throw new UsageError('--backups and --proxy-timeout require --production.');
    }
    const findings = await runChecks(production ? { backups, proxyTimeoutMs: proxyTimeout } : undefined);
    if (json) await terminal.print(`${JSON.stringify(findings.map(toJson))}\n`);
    else await terminal.print(findings.map((finding) => renderFinding(finding, terminal)).join(''));
    return findings.some(({ state }) => state === 'fail') ? exitCodes.failure : exitCodes.success;
  },
});

const settings = findingsFor('settings');

/** Keeps the doctor quick on a large database. */
const textTimeLimitMs = 5_000;

/** @param production undefined to check only what a start needs */
const runChecks = async (production: ProductionOptions | undefined): Promise<readonly Finding[]> => {
  const node = checkNode();
  const misspelt: Finding[] = [];
  try {
    const config = loadSettings((line) =>
      misspelt.push(settings.warn(line, 'Rename it, or remove it from .env.')),
    );
    const { database, payment, providerEvents, times } = config;
    // Once for all checks: an inspection can read a whole file.
    let inspection: ReturnType<typeof inspectStore> | undefined;
    const inspect: typeof inspectStore = (place) => (inspection ??= inspectStore(place));
    const timeLimitMs = production === undefined ? textTimeLimitMs : Number.POSITIVE_INFINITY;
    const rest = await Promise.all([
      checkDatabase(database, inspect),
      checkTexts(database, { timeLimitMs, inspect }),
      checkDisk(database),
      checkPorts(config),
      checkCertificate(config),
      checkCors(config),
      checkWebhooks(config, inspect),
      checkPaymentProvider(payment, {
        timeoutMs: times.payment,
        eventsPollMs: times.eventsPoll,
        listens: providerEvents !== undefined,
      }),
      checkCapabilities(config),
      checkIdentityProvider(config),
      checkModules(config),
      production === undefined ? [] : checkForProduction(config, production),
    ]);
    return [node, settings.ok('all settings are valid'), ...misspelt, ...rest.flat()];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const remedy =
      'Fix it in the environment or in .env. Then run portico doctor again for the other checks.';
    return [node, settings.fail(error.message, remedy), ...misspelt];
  }
};

/** Scripts read the field `says`, so its name stays. */
const toJson = ({ check, state, message, remedy }: Finding) => ({ check, state, says: message, remedy });

/** Below it an indented remedy would be a column of single words. */
const minColumnsForIndent = 60;

const renderFinding = (
  { check, state, message, remedy }: Finding,
  { colours, columns = minColumnsForIndent }: Terminal,
): string => {
  const paint = { ok: colours.success, warn: colours.warning, fail: colours.error }[state];
  const line = `${paint(state.padEnd(4))}  ${check.padEnd(10)}  ${escapeControl(message)}\n`;
  return remedy === undefined
    ? line
    : `${line}${' '.repeat(columns < minColumnsForIndent ? 2 : 18)}${colours.dim(remedy)}\n`;
};
