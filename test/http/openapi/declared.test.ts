import { expect } from 'chai';
import { statusAndCode } from '#adapters/http/errors.ts';
import { openApi } from '#adapters/http/openapi/document.ts';
import { errorCatalogue } from '#adapters/http/openapi/error-catalogue.ts';
import { noContent } from '#adapters/http/routing/responders.ts';
import { type Route, route } from '#adapters/http/routing/route.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { query } from '#application/use-case.ts';
import { DomainError } from '#domain/errors.ts';

const declaring = query('products:read', ['conflict'], () => async (): Promise<void> => undefined);

/** A route that can be refused with these kinds, and the statuses that the description has for it. */
const statusesOf = (routes: readonly Route[]): readonly string[] => {
  const { paths } = openApi({ name: 'v1', routes, subjects: { products: 'The catalogue.' } });
  const { get } = paths['/v1/plants'] as { readonly get: { readonly responses: object } };
  return Object.keys(get.responses);
};

describe('What a route declares', () => {
  it('is all of it: with less, it does not compile', () => {
    const notCompiled = () => [
      // @ts-expect-error: no answer is declared
      route('GET /plants', declaring, { summary: 'Looks at plants', input: () => undefined }),
      // @ts-expect-error: nothing is said of how it can be refused
      query('products:read', () => async () => undefined),
      // @ts-expect-error: there is no such refusal
      query('products:read', ['too-late'], () => async () => undefined),
      // @ts-expect-error: nothing says what it looks like
      strictObject({ name: { validate: () => undefined } }),
    ];
    expect(notCompiled).to.be.a('function');
  });

  it('is described, and nothing else is', () => {
    const plants = (useCase: typeof declaring) =>
      route('GET /plants', useCase, {
        summary: 'Looks at plants',
        input: () => undefined,
        responder: noContent,
      });
    expect(statusesOf([plants(declaring)])).to.include('409');
    const silent = query('products:read', [], () => async (): Promise<void> => {
      throw new DomainError('conflict', 'It was never declared.');
    });
    expect(statusesOf([plants(silent)])).not.to.include('409');
  });

  it('is explained: every kind of refusal has a status and a code, and every code a remedy and an example', () => {
    const used = new Set(Object.values(statusAndCode).map(({ code }) => code));
    expect(Object.keys(errorCatalogue)).to.have.members([...used]);
    for (const { advice: remedy, message } of Object.values(errorCatalogue)) {
      expect(remedy).to.match(/[.`]$/);
      expect(message).to.match(/[.]$/);
    }
  });
});
