/**
 * The result has more bytes than the job may write. The data and the options cause this, so another run would fail too.
 */
export class OutputTooLarge extends Error {
  override name = 'OutputTooLarge'
}
