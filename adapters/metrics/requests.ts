import { alone, type Cell, cellCounter, type Durations, durationHistogram, type Register } from './series.ts';

/** A request that is over, as far as it is counted. */
interface Over {
  /** One of few. */
  readonly method: string;
  /** One of few: the pattern of a path, or why there is none. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** All requests of one method to one route. */
interface Line {
  readonly method: string;
  readonly route: string;
  readonly durations: Durations;
  readonly byStatus: Map<number, Cell>;
}

/** Counts requests. That happens at each of them, so what is looked up is found at once and nothing is made anew. */
export const countRequests = (register: Register) => {
  const requests = cellCounter(register, {
    name: 'portico_http_requests_total',
    help: 'Requests that are over. Status 499: the client had left.',
  });
  const durations = durationHistogram(register, {
    name: 'portico_http_request_duration_seconds',
    help: 'From when the headers of a request were there until its answer was handed to the system.',
  });
  let underWay = 0;
  register({
    name: 'portico_http_requests_in_flight',
    help: 'Requests that are being answered.',
    type: 'gauge',
    read: () => alone(underWay),
  });

  const lines = new Map<string, Map<string, Line>>();

  const newLine = (method: string, route: string): Line => {
    const line = { method, route, durations: durations({ method, route }), byStatus: new Map() };
    const ofRoute = lines.get(route) ?? new Map<string, Line>();
    lines.set(route, ofRoute.set(method, line));
    return line;
  };

  const newCell = ({ method, route, byStatus }: Line, status: number): Cell => {
    const cell = requests({ method, route, status: `${status}` });
    byStatus.set(status, cell);
    return cell;
  };

  const count = ({ method, route, status, milliseconds }: Over): void => {
    const line = lines.get(route)?.get(method) ?? newLine(method, route);
    const cell = line.byStatus.get(status) ?? newCell(line, status);
    cell.count += 1;
    line.durations.note(milliseconds / 1000);
  };

  return {
    begun: (): void => {
      underWay += 1;
    },
    over: (request: Over): void => {
      underWay -= 1;
      count(request);
    },
    /** For what was refused before it was a request: it was never under way. */
    count,
  };
};
