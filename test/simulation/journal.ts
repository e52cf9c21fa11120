/** What the servers have logged, and what has gone wrong on the way, whatever the end looks like. */
export class Journal {
  readonly lines: string[] = [];
  readonly breaches: string[] = [];

  log(line: string): void {
    this.lines.push(line);
  }

  breach(what: string): void {
    this.breaches.push(what);
  }
}
