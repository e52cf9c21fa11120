import { expect } from 'chai';
import { type Config, readConfig } from '#bootstrap/config/config.ts';
import { type Environment, SettingError } from '#bootstrap/config/env-parser.ts';

interface Setting {
  /** Other settings that it needs. */
  readonly beside?: Environment;
  readonly read: (config: Config) => unknown;
  readonly byDefault: unknown;
  /** Texts, and their values. */
  readonly valid: readonly (readonly [string, unknown])[];
  readonly invalid: readonly string[];
  /** What the error says after the name. */
  readonly expected: RegExp;
}

/** A setting by its name. */
export type Settings = Readonly<Record<string, Setting>>;

export const notNumbers = ['-1', '1.5', '1e3', '0x10', 'ten', ' 1', '9'.repeat(16)];

/** Reads settings that must be rejected. @returns the message, which is one line */
export const settingErrorOf = (environment: Environment): string => {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error, JSON.stringify(environment)).to.be.instanceOf(SettingError);
    const { message } = error as SettingError;
    expect(message).to.match(/^[^\n]+\.$/);
    return message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
};

export const expectInvalid = (environment: Environment, name: string, expected: RegExp): void => {
  expect(settingErrorOf(environment))
    .to.match(new RegExp(`^${name} must `))
    .and.match(expected);
};

/** Declares the tests of settings that can be read one by one. */
export const describeSettings = (what: string, settings: Settings): void => {
  describe(`Each setting of ${what}`, () => {
    it('has its default, also when it is set to an empty text', () => {
      for (const [name, { read, byDefault, beside }] of Object.entries(settings)) {
        expect(read(readConfig({ ...beside })), name).to.deep.equal(byDefault);
        expect(read(readConfig({ ...beside, [name]: '' })), name).to.deep.equal(byDefault);
      }
    });

    it('is read from its text', () => {
      for (const [name, { read, beside, valid }] of Object.entries(settings)) {
        for (const [text, value] of valid) {
          expect(read(readConfig({ ...beside, [name]: text })), `${name}=${text}`).to.deep.equal(value);
        }
      }
    });

    it('is rejected with any other text, and the error says what it can be', () => {
      for (const [name, { beside, invalid, expected }] of Object.entries(settings)) {
        for (const text of invalid) expectInvalid({ ...beside, [name]: text }, name, expected);
      }
    });
  });
};
