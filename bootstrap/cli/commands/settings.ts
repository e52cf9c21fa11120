import { settingGroups } from '../../config/descriptions/all.ts';
import {
  plainMeaning,
  type SettingDescription,
  type SettingGroup,
} from '../../config/descriptions/description.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, value } from '../framework/command.ts';
import { renderTable } from '../framework/table.ts';

const formats = ['table', 'env', 'markdown'] as const;

export const settings = command({
  name: 'settings',
  description: 'List every setting with its default and its meaning. Needs no database.',
  options: {
    format: value(formats.join('|'), {
      description: 'Print a table, an .env file with every default, or docs/settings.md. Default: table.',
      expects: `one of ${formats.join(', ')}`,
      parse: oneOf(formats),
    }),
  },
  run: ({ format = 'table' }, terminal) => {
    if (format === 'env') return terminal.print(settingsAsEnv());
    if (format === 'markdown') return terminal.print(settingsAsMarkdown());
    const rows = settingGroups
      .flatMap(({ settings }) => settings)
      .map((setting) => [setting.name, setting.fallback, plainMeaning(setting)]);
    return terminal.print(renderTable([['NAME', 'DEFAULT', 'MEANING'], ...rows], terminal.columns));
  },
});

/** The text of `.env.example`: every setting with its default. */
export const settingsAsEnv = (): string => {
  const head =
    '# Every setting with its default; empty where it has none, or where it depends on others. Copy this file to .env.\n# Variables of the environment override it. Made by: portico settings --format env\n';
  const lines = (setting: SettingDescription) =>
    `# ${plainMeaning(setting)}\n${setting.name}=${setting.fallback}\n`;
  const groups = settingGroups.map(
    ({ title, settings }) => `\n# ${title}\n\n${settings.map(lines).join('')}`,
  );
  return `${head}${groups.join('')}`;
};

/** The text of `docs/settings.md`. */
export const settingsAsMarkdown = (): string => `${head}${settingGroups.map(table).join('')}`;

const head = `# Settings

<!-- Made by: npm run --silent portico -- settings --format markdown > docs/settings.md -->

Set environment variables, or copy \`.env.example\` to \`.env\` in the folder in which Portico starts. A variable of the
environment overrides the file.

- An invalid value stops the start. The message names the setting and says what to set.
- A name in \`.env\` that is almost that of a setting gets a warning.
- \`.env\` is UTF-8 text with lines \`NAME=value\`. A \`#\` begins a comment at the start of a line, or after a space. Any other line stops
  the start, and the message names it.
- A value must not begin and end with a quote: \`docker run --env-file\` keeps quotes as a part of it.
- \`portico settings\` prints this list, and \`portico doctor\` checks your values.
`;

const table = ({ title, settings }: SettingGroup): string => {
  const rows = settings.map(
    ({ name, fallback, meaning }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning.replaceAll('|', '\\|')} |\n`,
  );
  return `\n## ${title}\n\n| setting | default | meaning |\n|---|---|---|\n${rows.join('')}`;
};
