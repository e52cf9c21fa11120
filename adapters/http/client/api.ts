import type { SnakeCase } from '#adapters/wire/codec.ts';
import type { CodeOf } from '../errors.ts';
import type { ExpandedWire, ExpandQuery } from '../routing/expansions.ts';
import type { PathParameters, RequiredIn, RouteOf } from '../routing/route.ts';
import type { v1 } from '../v1/routes.ts';

type Routes = ReturnType<typeof v1>[number];

/** The method and path of each route: `GET /orders/{order_id}`. */
type Targets<R> =
  R extends RouteOf<infer Method, infer Path, infer _B, infer _F, infer _S, infer _E, infer _X>
    ? `${Method} ${Path}`
    : never;

/** The request and response of a route, in JSON. */
type Operation<R, Target> =
  R extends RouteOf<
    infer Method,
    infer Path,
    infer Body,
    infer Filters,
    infer Response,
    infer Kind,
    infer Expand
  >
    ? `${Method} ${Path}` extends Target
      ? {
          readonly path: { readonly [Name in PathParameters<Path>]: string };
          readonly query: QueryIn<Filters> & ExpandQuery<Expand>;
          readonly body: Encoded<Body>;
          readonly content: Response['content'];
          /** @deprecated the former name of `content` */
          readonly shows: Response['content'];
          readonly isFeed: IsFeed<Response>;
          readonly data: Written<NonNullable<Response['view']>> & ExpandedWire<Expand>;
          readonly code: CodeOf<Kind>;
        }
      : never
    : never;

type IsFeed<Response> = Response extends { readonly isFeed?: infer Feed }
  ? [NonNullable<Feed>] extends [never]
    ? false
    : true
  : false;

/** A route without a list has no filters. */
type QueryIn<Filters> = Filters extends object
  ? {
      readonly [Name in Exclude<keyof Filters, RequiredIn<Filters>> as SnakeCase<Name & string>]?: Encoded<
        Filters[Name]
      >;
    } & { readonly [Name in RequiredIn<Filters> as SnakeCase<Name & string>]: Encoded<Filters[Name]> }
  : Record<never, never>;

type Encoded<C> = C extends { readonly _O: infer Wire } ? Wire : undefined;
type Written<V> = V extends { readonly encode: (value: never) => infer Wire } ? Wire : undefined;

/** The same type, without the names of the types that compose it. */
type SpelledOut<T> = T extends readonly (infer Item)[]
  ? readonly SpelledOut<Item>[]
  : T extends object
    ? { [Name in keyof T]: SpelledOut<T[Name]> }
    : T;

declare const spellOut: () => {
  readonly [Target in Targets<Routes>]: SpelledOut<Operation<Routes, Target>>;
};

/**
 * TypeScript writes the type of an expression in full into a declaration file, while an alias would stay a reference to the
 * server's code. So the installed client needs no file of the server.
 */
const described = () => spellOut();

/** Every operation of the API, inferred from the server's table of routes. */
export type Api = ReturnType<typeof described>;
