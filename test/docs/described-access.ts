// Writes the access matrix of docs/api.md from the routes: npm run access
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { operations } from '../http/support/described.ts';
import { type Access, page } from '../support/access-matrix.ts';

/** The access matrix as the routes make it. */
export const describedAccess: readonly Access[] = operations.map(
  ({ method, path, operationId, security, 'x-required-role': role }) => ({
    target: `${method} ${path.replace(/^\/v\d+/, '')}`,
    operationId,
    scope: security[0]?.apiKey[0],
    role,
  }),
);

const header = '| request | operation | scope | role |\n|---|---|---|---|\n';

const rowOf = ({ target, operationId, scope, role }: Access): string =>
  `| \`${target}\` | \`${operationId}\` | \`${scope}\` | ${role} |\n`;

/** Replaces the rows below the header. @throws when the page has no such table */
export const withAccess = (markdown: string, matrix: readonly Access[]): string => {
  const [before, behind] = markdown.split(header);
  if (before === undefined || behind === undefined) throw new Error(`${page} has no access matrix.`);
  return `${before}${header}${matrix.map(rowOf).join('')}${behind.replace(/^(?:\|.*\n)*/, '')}`;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(page, withAccess(readFileSync(page, 'utf8'), describedAccess));
}
