/** What is wrong with the command line, in one line; the exit code is 64. */
export class UsageError extends Error {
  override name = 'UsageError'
}
