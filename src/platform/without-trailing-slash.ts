/** An address without its trailing slashes, so that a path can follow. */
export function withoutTrailingSlash (address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}
