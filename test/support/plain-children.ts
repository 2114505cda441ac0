/*
 * Scripts that this process starts under its own arguments, as the check of the records is, go without the imports that
 * the test runner puts in front: with them a process takes twice the time to start.
 */
process.execArgv = ['--enable-source-maps', '--import=tsx']
delete process.env['NODE_OPTIONS']
