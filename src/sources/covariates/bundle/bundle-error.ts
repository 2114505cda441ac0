/** The bundle is damaged, or does not fit the catalogue. Nothing of it was imported. */
export class BundleError extends Error {
  override name = 'BundleError'
}
