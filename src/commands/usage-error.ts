/** An error in the command line, in one line. The exit code is 64. */
export class UsageError extends Error {
  override name = 'UsageError'
}
