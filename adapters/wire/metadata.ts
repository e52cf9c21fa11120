import * as t from 'io-ts';
import { externalId as externalIdRule } from '#domain/external-id.ts';
import { Metadata, type MetadataPatch } from '#domain/metadata.ts';
import { type Codec, codec, described, named, type Schema } from './codec.ts';
import { identity, nullable, text } from './codecs.ts';
import { isObject } from './json.ts';

/** What an integration keeps at a resource: its own names and texts, and the resource's id in another system. */

const value = text(Metadata.value);
const names: Schema = { ...text(Metadata.name).schema, not: { enum: Metadata.reservedNames } };

const isOwnRecord = <V>(input: unknown): input is Readonly<Record<string, V>> => isObject(input);

/** A codec for an object whose names are free. An error is at `metadata.<name>`, or at `metadata` when it is about all of them. */
const record = <V extends string | null>(
  item: Codec<V, V>,
  maxNames: number,
  violation: (record: Readonly<Record<string, V>>) => string | undefined,
): Codec<Readonly<Record<string, V>>, Readonly<Record<string, V>>> =>
  codec('metadata', {
    schema: {
      type: 'object',
      propertyNames: names,
      additionalProperties: item.schema,
      maxProperties: maxNames,
    },
    encode: identity,
    validate: (input, context) => {
      if (!isOwnRecord<V>(input)) return t.failure(input, context, 'must be an object');
      const entries = Object.entries(input);
      if (entries.length > maxNames) return t.failure(input, context, `must have at most ${maxNames} names`);
      const errors = entries.flatMap(([key, given]) => entryErrors(item, key, given, context));
      if (errors.length > 0) return t.failures(errors);
      const message = violation(input);
      return message === undefined ? t.success(input) : t.failure(input, context, message);
    },
  });

const entryErrors = <V>(item: Codec<V, V>, key: string, given: V, context: t.Context): t.Errors => {
  const path = t.appendContext(context, key, item, given);
  const message = Metadata.name.violation(key);
  if (message !== undefined) return [{ value: given, context: path, message }];
  const result = item.validate(given, path);
  return result._tag === 'Left' ? result.left : [];
};

const about =
  'Your own names and texts, such as the number of a delivery. Everyone who reads the resource reads them.';

/** Metadata as a resource has them, and as POST and PUT set them. */
export const metadata = described(
  named('Metadata', record(value, Metadata.maxNames, Metadata.whole.violation)),
  about,
  { warehouse: 'Vienna' },
);

/** Metadata in a merge patch (RFC 7396). It can remove as many names as there are, and add as many. */
export const metadataPatch: Codec<MetadataPatch, MetadataPatch> = described(
  named(
    'MetadataPatch',
    record<string | null>(nullable(value), 2 * Metadata.maxNames, () => undefined),
  ),
  `${about} Null removes a name, and a name that you omit stays unchanged.`,
  { warehouse: 'Graz' },
);

/** As a filter, which finds by a text. */
export const externalIdFilter = described(
  text(externalIdRule),
  'The id in another system, compared character by character.',
  'ERP-4711',
);

export const externalId = described(
  nullable(text(externalIdRule)),
  'The id in another system, unique among all. Visible ASCII without spaces.',
  'ERP-4711',
);
