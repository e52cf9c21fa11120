/** What an operator may choose of the headers that every answer has. */
export interface CorsSettings {
  readonly origin: string;
  readonly methods: string;
  readonly headers: string;
}

/** The headers of every answer, whatever it says, in the specification's words (section 5). */
export const commonHeaders = ({
  origin,
  methods,
  headers,
}: CorsSettings): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': headers,
});
