import type { SnakeCase } from '#adapters/wire/snake-case.ts';
import type { CodeOf } from '../errors.ts';
import type { PathParameters, RouteOf } from '../routing/route.ts';
import type { v1 } from '../v1/routes.ts';

type Routes = ReturnType<typeof v1>[number];

/** `GET /orders/{order_id}`, and all the others. */
type Targets<R> =
  R extends RouteOf<infer Method, infer Path, infer _B, infer _F, infer _S, infer _E>
    ? `${Method} ${Path}`
    : never;

/** What a route takes and gives, as a client meets it. */
type Operation<R, Target> =
  R extends RouteOf<infer Method, infer Path, infer Body, infer Filters, infer Answer, infer Refusal>
    ? `${Method} ${Path}` extends Target
      ? {
          readonly path: { readonly [Name in PathParameters<Path>]: string };
          readonly query: {
            readonly [Name in keyof Filters as SnakeCase<Name & string>]?: Encoded<Filters[Name]>;
          };
          readonly body: Encoded<Body>;
          readonly content: Answer['content'];
          readonly data: Written<NonNullable<Answer['view']>>;
          readonly code: CodeOf<Refusal>;
        }
      : never
    : never;

type Encoded<C> = C extends { readonly _O: infer Wire } ? Wire : undefined;
type Written<V> = V extends { readonly encode: (value: never) => infer Wire } ? Wire : undefined;

/** The same type, without the names of what it was put together from. */
type SpelledOut<T> = T extends readonly (infer Item)[]
  ? readonly SpelledOut<Item>[]
  : T extends object
    ? { [Name in keyof T]: SpelledOut<T[Name]> }
    : T;

declare const spellOut: () => {
  readonly [Target in Targets<Routes>]: SpelledOut<Operation<Routes, Target>>;
};

/**
 * It is the type of an expression because TypeScript spells such a type out in a declaration file, where an alias would
 * stay a name that leads to the server's code. So whoever installs the client needs nothing of the server.
 */
const described = () => spellOut();

/** Everything that can be asked for, inferred from the table of routes that answers it. */
export type Api = ReturnType<typeof described>;
