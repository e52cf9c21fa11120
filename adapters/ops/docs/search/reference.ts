import { resolveSchema } from '../reference/document.ts';
import { type Field, fieldsOf, formsOf, listedValues } from '../reference/fields.ts';
import { parameterField } from '../reference/parameters.ts';
import {
  type Chapter,
  operationHref,
  overviewPath,
  type Reference,
  webhooksPath,
} from '../reference/reference.ts';
import type { Entry } from './entry.ts';
import { textOf } from './sections.ts';

/** Entries of the resources, their operations, and the requests that Portico sends. */
export const operationEntries = ({ chapters, webhooks }: Reference): readonly Entry[] => [
  ...chapters.flatMap((chapter): readonly Entry[] => [
    { kind: 'resource', title: chapter.title, href: chapter.path, text: textOf(chapter.description) },
    ...chapter.operations.map((operation): Entry => {
      const { id, method, path, summary, description, scopes } = operation;
      return {
        ...{ kind: 'operation', title: summary, href: operationHref(operation), place: chapter.title },
        names: [`${method} ${path}`, id, ...scopes],
        text: textOf(ownText(description)),
      };
    }),
  ]),
  ...webhooks.map(
    ({ id, summary, description }): Entry => ({
      ...{ kind: 'operation', title: summary, href: `${webhooksPath}#${id}`, place: 'Webhooks' },
      ...{ names: [id], text: textOf(description) },
    }),
  ),
];

/** A description without the part that every operation has: who may call it, and its errors. */
const ownText = (description: string): string =>
  (description.split('Errors of its own:')[0] ?? '').replace(/^Needs an API key .*$/m, '');

/** A longer list, as of currencies, is found by what describes it. */
const maxValues = 50;

interface Place {
  readonly field: Field;
  readonly name: string;
  readonly href: string;
  readonly owner: string;
}

/**
 * Entries of the fields of resources, bodies and queries. A field that is described by the same words in several places has one
 * entry, which names them.
 */
export const fieldEntries = (reference: Reference): readonly Entry[] => {
  const places = [
    ...sharedPlaces(reference),
    ...reference.chapters.flatMap((chapter) => placesOf(reference, chapter)),
  ];
  const same = Map.groupBy(places, ({ name, field }) => `${name}\n${field.description}`);
  return [...same.values()].flatMap(([first, ...others]): readonly Entry[] => {
    if (first === undefined) return [];
    const { name, href, field } = first;
    const owners = [...new Set([first, ...others].map(({ owner }) => owner))];
    const { values: all } = field;
    const values = all.length > maxValues ? '' : all.filter((value) => typeof value === 'string').join(', ');
    const text = [textOf(field.description), values].filter((part) => part !== '').join(' ');
    return [{ kind: 'field', title: name, href, place: nameOwners(owners), text }];
  });
};

const shownOwners = 3;

const nameOwners = (owners: readonly string[]): string =>
  owners.length <= shownOwners
    ? owners.join(', ')
    : `${owners.slice(0, shownOwners).join(', ')} and ${owners.length - shownOwners} more`;

/** Parameters of every operation are described once. */
const sharedPlaces = ({ document, common }: Reference): readonly Place[] =>
  common.parameters.map((parameter) => ({
    ...{ field: parameterField(document, parameter), name: parameter.name, owner: 'Every request' },
    href: `${overviewPath}#request.${parameter.name}`,
  }));

/** First the fields of the resources, so that a field which a body has too leads there. */
const placesOf = (reference: Reference, { path, title, objects, operations }: Chapter): readonly Place[] => {
  const { document, common } = reference;
  const shared = new Set(common.parameters.map(({ name }) => name));
  const listed = (fields: readonly Field[], prefix: string, name = ''): readonly Place[] =>
    fields.flatMap((field): readonly Place[] => {
      const anchor = `${prefix}.${field.name}`;
      const fullName = `${name}${field.name}`;
      const { schema, children } = field;
      const isElsewhere = schema !== undefined && reference.findObject(schema) !== undefined;
      return [
        { field, name: fullName, href: `${path}#${anchor}`, owner: title },
        ...(isElsewhere ? [] : listed(children, anchor, `${fullName}.`)),
      ];
    });
  return [
    ...objects.flatMap(({ id, schema }) => listed(fieldsOf(document, schema), id)),
    ...operations.flatMap(({ id, body, parameters }) => {
      const forms = body === undefined ? [] : formsOf(document, body.schema);
      const named = parameters
        .filter((parameter) => parameter.in !== 'path' && !shared.has(parameter.name))
        .map((parameter) => ({ group: parameter.in, field: parameterField(document, parameter) }));
      return [
        ...(body === undefined || forms.length > 0
          ? forms.flatMap((form) => listed(form.fields, `${id}.body.${form.name.replaceAll(' ', '-')}`))
          : listed(fieldsOf(document, body.schema), `${id}.body`)),
        ...named.flatMap(({ group, field }) => listed([field], `${id}.${group}`)),
      ];
    }),
  ];
};

/** Entries of the types of events. `docs/api.md` describes them together. */
export const eventEntries = ({ document }: Reference): readonly Entry[] => {
  const event = { $ref: '#/components/schemas/WebhookEvent' };
  const { type = {} } = resolveSchema(document, event).properties ?? {};
  return listedValues(document, type).map((name) => ({
    ...{ kind: 'event', title: `${name}`, href: '/docs/api#events', place: 'Events and webhooks' },
  }));
};
