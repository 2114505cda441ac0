/** A body is not in its documented form. The message says how, in our own words. */
export class InvalidAnswer extends Error {
  override name = 'InvalidAnswer'
}
