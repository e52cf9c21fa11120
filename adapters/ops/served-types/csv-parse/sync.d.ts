// The build of the package for browsers, at the address at which the admin page is served it.
export * from 'csv-parse/sync';
