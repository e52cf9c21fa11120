import type { Locator, Page } from 'playwright-core';

/** Drives the API reference by what a reader sees. */
export class Reference {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto('/docs');
    await this.page.locator('#caller').waitFor();
  }

  async actAs(name: 'Customer' | 'Admin' | 'Own key'): Promise<void> {
    await this.page.locator('#callers label', { hasText: name }).click();
  }

  /** Opens an operation from the list of contents. @param name such as `POST /v1/orders` */
  async choose(name: string): Promise<Operation> {
    const link = this.page.locator(`a[title="${name}"]`);
    const group = this.page.locator('.contents details details', { has: link });
    if ((await group.getAttribute('open')) === null) await group.locator('summary').click();
    await link.click();
    const [method = '', path = ''] = name.split(' ');
    const block = this.page.locator(`.opblock-${method.toLowerCase()}:has([data-path="${path}"])`);
    const operation = new Operation(block);
    await operation.button.waitFor();
    return operation;
  }
}

interface Shown {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
  readonly body: any;
  /** The whole text of the response on the page, with headers, in lower case. */
  readonly shown: string;
}

/** An expanded operation. */
export class Operation {
  readonly block: Locator;

  constructor(block: Locator) {
    this.block = block;
  }

  get button(): Locator {
    return this.block.getByRole('button', { name: 'Execute' });
  }

  parameter(name: string): Locator {
    return this.block.locator(`tr[data-param-name="${name}"] input`);
  }

  get body(): Locator {
    return this.block.locator('textarea');
  }

  /** The outcome above the response. */
  get outcome(): Locator {
    return this.block.locator('.outcome > p');
  }

  async isOutcomeInViewport(): Promise<boolean> {
    const box = await this.outcome.boundingBox();
    const window = this.outcome.page().viewportSize();
    return box !== null && window !== null && box.y >= 0 && box.y + box.height <= window.height;
  }

  /** Closes it, which makes the next one quicker: Swagger UI renders each open one again after every change. */
  async close(): Promise<void> {
    await this.block.locator('.opblock-summary-control').click();
    await this.button.waitFor({ state: 'detached' });
  }

  /** Clicks Execute. @returns what the page shows of the response */
  async execute(): Promise<Shown> {
    const received = this.block
      .page()
      .waitForResponse((response) => response.request().resourceType() === 'fetch');
    await this.button.click();
    const response = await received;
    const id = response.headers()['x-request-id'] ?? '';
    const row = this.block.locator('.live-responses-table tr.response', { hasText: id });
    await row.waitFor();
    const text = await response.text();
    return {
      status: Number(await row.locator('.response-col_status').innerText()),
      body: text === '' ? undefined : JSON.parse(text),
      shown: (await row.innerText()).toLowerCase(),
    };
  }
}
