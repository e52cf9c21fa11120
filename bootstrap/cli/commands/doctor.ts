import { SettingError } from '../../config/env-parser.ts';
import { loadConfig } from '../../config/load.ts';
import { checkCertificate } from '../doctor/certificate.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkDisk } from '../doctor/disk.ts';
import { type Finding, findingsOf } from '../doctor/finding.ts';
import { checkIdentityProvider } from '../doctor/identity-provider.ts';
import { checkNode } from '../doctor/node.ts';
import { checkPorts } from '../doctor/ports.ts';
import { checkProvider } from '../doctor/provider.ts';
import { command, flag } from '../framework/command.ts';
import { exitCodes } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { escapeControl } from '../framework/terminal-text.ts';

export const doctor = command({
  name: 'doctor',
  description: 'Looks whether all that Portico needs is there, and says what to do about what is not.',
  details: [
    'It looks at Node, the settings, the database, its tables and its clock, the disk, the ports, the certificate, the payment provider and the identity provider, and changes nothing. It ends with 1 when something fails; what it warns of does not count.',
  ],
  options: { json: flag('Writes what it has found as JSON.') },
  run: async ({ json }, terminal) => {
    const findings = await examine();
    if (json) await terminal.print(`${JSON.stringify(findings)}\n`);
    else await terminal.print(findings.map((finding) => textOf(finding, terminal)).join(''));
    return findings.some(({ state }) => state === 'fail') ? exitCodes.failure : exitCodes.success;
  },
});

const settings = findingsOf('settings');

const examine = async (): Promise<readonly Finding[]> => {
  const node = checkNode();
  try {
    const config = loadConfig();
    const { database, payment, times } = config;
    const rest = await Promise.all([
      checkDatabase(database),
      checkDisk(database),
      checkPorts(config),
      checkCertificate(config),
      checkProvider(payment, times.payment),
      checkIdentityProvider(config),
    ]);
    return [node, settings.ok('all can be used'), ...rest.flat()];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const remedy = 'Set it in the environment or in .env, and run this again for the other checks.';
    return [node, settings.fail(error.message, remedy)];
  }
};

const textOf = ({ check, state, says, remedy }: Finding, { colours }: Terminal): string => {
  const paint = { ok: colours.success, warn: colours.warning, fail: colours.error }[state];
  const line = `${paint(state.padEnd(4))}  ${check.padEnd(10)}  ${escapeControl(says)}\n`;
  return remedy === undefined ? line : `${line}${' '.repeat(18)}${colours.dim(remedy)}\n`;
};
