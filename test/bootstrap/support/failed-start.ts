import { expect } from 'chai';
import { errorLines } from '#bootstrap/cli/error-messages.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';

const usual = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };

/** Starts a server in this process, which must fail. @returns the one line that `portico start` would print */
export const failedStart = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  try {
    const app = await startApp(readConfig({ ...usual, ...settings }));
    await app.close();
  } catch (error) {
    const lines = errorLines(error);
    expect(lines, JSON.stringify(settings)).to.have.lengthOf(1);
    return lines[0] ?? '';
  }
  throw new Error(`It has started with ${JSON.stringify(settings)}.`);
};
