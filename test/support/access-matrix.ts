import { readFileSync } from 'node:fs';
import { type Role, roles, type Scope } from '#domain/access.ts';

/** A row of the access matrix: what a request needs. */
export interface Access {
  /** Method and path without the version: `GET /products`. */
  readonly target: string;
  /** The id of the operation in the OpenAPI document. */
  readonly operationId: string;
  readonly scope: Scope;
  /** The lowest role that may send the request. */
  readonly role: Role;
}

export const page = 'docs/api.md';

const row =
  /^\| `(?<target>[A-Z]+ \/\S+)` \| `(?<operationId>\w+)` \| `(?<scope>[\w:-]+)` \| (?<role>\w+) \|$/gm;

/** The access matrix that clients read. Tests hold routes, use cases and roles to it: it is stated nowhere else. */
export const accessMatrix = [...readFileSync(page, 'utf8').matchAll(row)].map(
  ({ groups }) => groups as unknown as Access,
);

/** The scopes that a role has: those of all requests that it may send. */
export const scopesOf = (role: Role): readonly Scope[] => {
  const allowed = roles.slice(0, roles.indexOf(role) + 1);
  return [...new Set(accessMatrix.filter((one) => allowed.includes(one.role)).map(({ scope }) => scope))];
};
