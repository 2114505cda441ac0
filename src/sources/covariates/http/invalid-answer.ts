/** A body does not have the documented form. The message describes the fault in our own words. */
export class InvalidAnswer extends Error {
  override name = 'InvalidAnswer'
}
