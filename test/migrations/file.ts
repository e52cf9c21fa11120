import type { Statements } from '#adapters/persistence/schema/migrate.ts';
import { databases } from './generate.ts';
import { partsOf } from './statements.ts';

/** The text of the file of a migration. */
export const fileOf = (statements: Statements): string => `import type { Statements } from '../migrate.ts';

/** TODO: say what it adds, and what for. */
export const statements: Statements = {
${databases.map((database) => `  ${database}: [${statements[database].map((text) => `${literal(text)},`).join('\n')}],\n`).join('')}};
`;

/** The list of migrations with one more, which is the last. */
export const withMigration = (list: string, name: string): string =>
  list.replace(
    /\n\];/,
    () => `\n  { name: '${name}', load: async () => (await import('./${name}.ts')).statements },\n];`,
  );

/** @returns the statement as a template, with its indentation in the file */
const literal = (statement: string): string => {
  const lines = laidOut(statement).split('\n');
  const text =
    lines.length === 1 ? lines.join() : ['', ...lines.map((line) => `      ${line}`), '    '].join('\n');
  return `\`${text.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`)}\``;
};

/** Each column of a table, or of a change of one, on a line of its own. */
const laidOut = (statement: string): string => {
  const [, start, list = '', end = ''] =
    /^(create table (?:if not exists )?\S+ \()((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*)(\).*)$/.exec(
      statement,
    ) ??
    /^(alter table \S+ )(add .*)$/.exec(statement) ??
    [];
  const parts = partsOf(list);
  if (start === undefined || (end === '' && parts.length === 1)) return statement;
  return [start.trimEnd(), `  ${parts.join(',\n  ')}`, ...(end === '' ? [] : [end])].join('\n');
};
