import { loadConfig } from '../../config/config.ts';
import { SettingError } from '../../config/env-parser.ts';
import { checkDatabase } from '../doctor/database.ts';
import { type Finding, findingsFor } from '../doctor/finding.ts';
import { checkCertificate, checkPorts } from '../doctor/listeners.ts';
import { checkDisk, checkNode } from '../doctor/machine.ts';
import { checkIdentityProvider, checkModules, checkPaymentProvider } from '../doctor/providers.ts';
import { command, flag } from '../framework/command.ts';
import { exitCodes } from '../framework/exit-codes.ts';
import { escapeControl, type Terminal } from '../framework/terminal.ts';

export const doctor = command({
  name: 'doctor',
  description: 'Check everything that Portico needs, and say how to fix what is wrong.',
  isReadOnly: true,
  details: [
    'Checks Node, the settings, the database with its migrations, clock and replicas, the disk, the ports, the certificate, the payment provider and the identity provider. Changes nothing.',
    'Exit code 1 when a check fails. Warnings do not count.',
  ],
  options: { json: flag('Print the findings as JSON.') },
  run: async ({ json }, terminal) => {
    const findings = await runChecks();
    if (json) await terminal.print(`${JSON.stringify(findings.map(toJson))}\n`);
    else await terminal.print(findings.map((finding) => renderFinding(finding, terminal)).join(''));
    return findings.some(({ state }) => state === 'fail') ? exitCodes.failure : exitCodes.success;
  },
});

const settings = findingsFor('settings');

const runChecks = async (): Promise<readonly Finding[]> => {
  const node = checkNode();
  try {
    const config = loadConfig();
    const { database, payment, times } = config;
    const rest = await Promise.all([
      checkDatabase(database),
      checkDisk(database),
      checkPorts(config),
      checkCertificate(config),
      checkPaymentProvider(payment, times.payment),
      checkIdentityProvider(config),
      checkModules(config),
    ]);
    return [node, settings.ok('all settings are valid'), ...rest.flat()];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const remedy =
      'Fix it in the environment or in .env. Then run portico doctor again for the other checks.';
    return [node, settings.fail(error.message, remedy)];
  }
};

/** Scripts read the field `says`, so its name stays. */
const toJson = ({ check, state, message, remedy }: Finding) => ({ check, state, says: message, remedy });

const renderFinding = ({ check, state, message, remedy }: Finding, { colours }: Terminal): string => {
  const paint = { ok: colours.success, warn: colours.warning, fail: colours.error }[state];
  const line = `${paint(state.padEnd(4))}  ${check.padEnd(10)}  ${escapeControl(message)}\n`;
  return remedy === undefined ? line : `${line}${' '.repeat(18)}${colours.dim(remedy)}\n`;
};
