/** Saved, never shown. Our own file names are plain; anything else in them is replaced, so that the header cannot be broken. */
export function attachment (filename: string): string {
  return `attachment; filename="${filename.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`
}
