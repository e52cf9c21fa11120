import type { Locator, Page, Response } from 'playwright-core';
import { operationAt } from '../http/support/described.ts';
import { until } from '../support/until.ts';

export type CallerName = 'Customer' | 'Admin' | 'Own key';

/** Drives the API reference by what a reader sees. */
export class Reference {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Goes to an operation. @param target such as `POST /v1/orders` */
  async find(target: string): Promise<Operation> {
    const { operationId, tags } = operationAt(target);
    await this.page.goto(`/docs/reference/${tags[0]}#${operationId}`);
    const operation = this.operation(`${operationId}`);
    await operation.button('Try it').or(operation.button('Send')).or(operation.button('Fill in')).waitFor();
    return operation;
  }

  /** Opens the form of an operation. */
  async choose(target: string): Promise<Operation> {
    const operation = await this.find(target);
    const open = operation.button('Try it');
    if (await open.isVisible()) await open.click();
    return operation;
  }

  /** Waits until the page has the ids of the demonstration, which it fills into its forms in place of examples. */
  async idsAreKnown(): Promise<void> {
    await until(
      () => this.page.evaluate<string>('JSON.stringify(sessionStorage)'),
      (kept) => kept.includes('demoKey'),
      30_000,
    );
  }

  operation(id: string): Operation {
    return new Operation(this.page.locator(`#${id}`));
  }
}

interface Shown {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
  readonly body: any;
  /** What the page says of it. */
  readonly outcome: string;
  /** The headers and the body on the page. */
  readonly shown: string;
}

/** An operation on its page. */
export class Operation {
  readonly section: Locator;

  constructor(section: Locator) {
    this.section = section;
  }

  /** @param name what it shows; for a screen reader some names say more */
  button(name: string): Locator {
    return this.section.locator('.try-it button', { hasText: name });
  }

  /** The field of a parameter, unfolded. */
  async parameter(name: string): Promise<Locator> {
    const field = this.section.locator(`.try-it [name$=".${name}"]`);
    const folded = this.section.locator('.try-it details:not([open])', {
      has: field.page().locator(`[name$=".${name}"]`),
    });
    if ((await folded.count()) > 0) await folded.locator('summary').click();
    return field;
  }

  async fill(name: string, value: string): Promise<void> {
    await (await this.parameter(name)).fill(value);
  }

  async valueOf(name: string): Promise<string> {
    return (await this.parameter(name)).inputValue();
  }

  get body(): Locator {
    return this.section.getByLabel('Body (JSON)');
  }

  get outcome(): Locator {
    return this.section.locator('.outcome');
  }

  async actAs(name: CallerName): Promise<void> {
    await this.section.locator('.callers label', { hasText: name }).click();
  }

  /** The sample in a language, as a reader sees it. */
  async sample(language: 'curl' | 'TypeScript' | 'Python' = 'curl'): Promise<string> {
    await this.section.locator('.languages label', { hasText: language }).click();
    return this.section.locator('.samples pre:visible').innerText();
  }

  async isOutcomeInViewport(): Promise<boolean> {
    const box = await this.outcome.boundingBox();
    const window = this.outcome.page().viewportSize();
    return box !== null && window !== null && box.y >= 0 && box.y + box.height <= window.height;
  }

  /** Sends the request. @param press clicks Send unless told otherwise @returns what the page shows of the response */
  async send(press: () => Promise<void> = () => this.button('Send').click()): Promise<Shown> {
    const { method, path } = await this.section.evaluate(
      (element) => (element as unknown as { dataset: { method: string; path: string } }).dataset,
    );
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}$`);
    const responses: Response[] = [];
    const keep = (response: Response): void => {
      if (response.request().method() === method && pattern.test(new URL(response.url()).pathname))
        responses.push(response);
    };
    const page = this.section.page();
    page.on('response', keep);
    await press();
    const panel = this.section.locator('.received');
    // The page may look ids for its samples up by the same operation. It shows the response of what was sent.
    const response = await until(
      async () => {
        const texts = await panel.allInnerTexts();
        return responses.find((one) =>
          texts.some((text) => text.includes(one.headers()['x-request-id'] ?? '')),
        );
      },
      (shown) => shown !== undefined,
      30_000,
    );
    page.off('response', keep);
    if (response === undefined) throw new Error('No response is shown.');
    const text = response.status() === 204 || response.status() === 304 ? '' : await response.text();
    return {
      status: Number(await this.outcome.locator('b').innerText()),
      body: text === '' ? undefined : JSON.parse(text),
      outcome: await this.outcome.innerText(),
      shown: await panel.innerText(),
    };
  }
}
