// Preloaded into a server by a test: emits a warning at the start, and on SIGUSR2 the same warning twice and another one.
process.emitWarning('Early', { code: 'EARLY' });
const warn = () =>
  process.emitWarning('Take care of postgres://ada:a-secret-word@shop/db', 'DeprecationWarning');
process.on('SIGUSR2', () => {
  warn();
  warn();
  process.emitWarning('Something else.');
});
