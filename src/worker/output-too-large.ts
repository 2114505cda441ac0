/** A result of more bytes than the job may write: the data and the options make it so, and another run would too. */
export class OutputTooLarge extends Error {
  override name = 'OutputTooLarge'
}
