/** A bundle is not what it says, or does not go with the catalogue. Nothing of it was taken over. */
export class BundleError extends Error {
  override name = 'BundleError'
}
