import { type Environment, parseInteger, parseSetting, readHost } from './env-parser.ts';

/** The listener for health, metrics and docs. */
export interface OpsSettings {
  readonly host: string;
  readonly port: number;
  /** The names that requests may have in `Host`, beside `host`, `localhost` and addresses. */
  readonly allowedHosts: readonly string[];
}

/** @returns undefined when the port is 0 @throws SettingError */
export const readOps = (environment: Environment): OpsSettings | undefined => {
  const ops = {
    host: readHost(environment, 'OPS_HOST'),
    port: parseInteger(environment, 'OPS_PORT', { min: 0, max: 65_535 }, 9090),
    allowedHosts: parseSetting(
      environment,
      'OPS_ALLOWED_HOSTS',
      'host names without ports and with commas between, such as portico,metrics.internal',
      parseHostNames,
      [],
    ),
  };
  return ops.port === 0 ? undefined : ops;
};

/** `*` is no name: with it any page could read what the listener serves. */
const parseHostNames = (text: string): readonly string[] | undefined => {
  const names = text.split(',').map((name) => name.trim());
  const isName = (name: string): boolean =>
    /^[^\s:/?#@*[\]\\%]+$/.test(name) && URL.canParse(`http://${name}`);
  return names.every(isName) ? names : undefined;
};
