import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Operation, operations } from '../http/support/described.ts';
import { page } from '../support/access-matrix.ts';
import { forEachCase } from '../support/for-each-case.ts';

/** What the page describes once for all requests. */
const described = [
  'id',
  'version',
  'created_at',
  'updated_at',
  'limit',
  'cursor',
  'sort',
  'created_from',
  'created_before',
  'expand',
  'expanded',
];

const propertiesOf = (schema: Operation[string] | undefined): readonly string[] =>
  Object.keys(schema?.properties ?? schema?.items?.properties ?? {});

/** The names of the filters and fields that belong to one request. */
const namesIn = ({ parameters, requestBody, responses }: Operation): readonly string[] => {
  const filters = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const body = propertiesOf(requestBody?.content['application/json'].schema);
  const data = propertiesOf(success?.content?.['application/json'].schema.properties.data);
  return [...new Set([...filters, ...body, ...data])].filter((name) => !described.includes(name));
};

describe('docs/api.md', () => {
  const [, resources = ''] = readFileSync(page, 'utf8').split('\n### Access\n');
  const [, ...sections] = resources.split('\n### ');

  it('describes each operation, with its filters and fields', () =>
    forEachCase(operations, (operation) => {
      const target = operation.target.replace('/v1', '');

      const [section = '', ...others] = sections.filter((text) => text.includes(`\`${target}\``));
      expect(others, 'other sections').to.deep.equal([]);
      for (const name of namesIn(operation)) expect(section).to.contain(`\`${name}\``);
    }));
});
