// Preloaded into a server by a test: it warns at the start, the same twice, and again when it is told to by SIGUSR2.
process.emitWarning('Early', { code: 'EARLY' });
const warn = () =>
  process.emitWarning('Take care of postgres://ada:a-secret-word@shop/db', 'DeprecationWarning');
process.on('SIGUSR2', () => {
  warn();
  warn();
  process.emitWarning('Something else.');
});
