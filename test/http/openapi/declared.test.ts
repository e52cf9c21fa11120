import { expect } from 'chai';
import { statusAndCode } from '#adapters/http/errors.ts';
import { openApi } from '#adapters/http/openapi/document.ts';
import { errorCatalogue } from '#adapters/http/openapi/error-catalogue.ts';
import { noContent } from '#adapters/http/routing/responders.ts';
import { type Route, route } from '#adapters/http/routing/route.ts';
import { describeApi } from '#adapters/http/versions.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { command, query } from '#application/use-case.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { DomainError } from '#domain/errors.ts';

const declaring = query('products:read', ['conflict'], () => async (): Promise<void> => undefined);

/** The statuses that the OpenAPI document lists for these routes. */
const statusesOf = (routes: readonly Route[]): readonly string[] => {
  const { paths } = openApi({
    name: 'v1',
    routes,
    subjects: { products: 'The catalogue.' },
    webhookBody: { const: 1 },
    release: '1.2.3',
    publicUrl: undefined,
  });
  const { get } = paths['/v1/plants'] as { readonly get: { readonly responses: object } };
  return Object.keys(get.responses);
};

describe('What a route declares', () => {
  it('must be complete to compile', () => {
    const notCompiled = () => [
      // @ts-expect-error: no responder is declared
      route('GET /plants', declaring, { summary: 'Looks at plants', input: () => undefined }),
      // @ts-expect-error: no error kinds are declared
      query('products:read', () => async () => undefined),
      // @ts-expect-error: there is no such error kind
      query('products:read', ['too-late'], () => async () => undefined),
      // @ts-expect-error: a field without a schema
      strictObject({ name: { validate: () => undefined } }),
    ];
    expect(notCompiled).to.be.a('function');
  });

  it('is listed in the OpenAPI document, and nothing else', () => {
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

  it('is listed when it is declared by a rule of one’s own', async () => {
    const { useCases } = await testShop({
      decorate: (all) => ({
        ...all,
        orders: {
          ...all.orders,
          place: command(
            'orders:write',
            [...all.orders.place.errorKinds, 'amount-exceeded'],
            all.orders.place,
          ),
        },
      }),
    });
    const { post } = describeApi(useCases, { release: '1.2.3', publicUrl: undefined }).paths[
      '/v1/orders'
    ] as { readonly post: { description: string } };
    expect(post.description).to.contain('`AMOUNT_EXCEEDED`');
  });

  it('is explained: every error kind has a status and a code, and every code has advice and an example', () => {
    const used = new Set(Object.values(statusAndCode).map(({ code }) => code));
    expect(Object.keys(errorCatalogue)).to.have.members([...used]);
    for (const { advice, message } of Object.values(errorCatalogue)) {
      expect(advice).to.match(/[.`]$/);
      expect(message).to.match(/[.]$/);
    }
  });
});
