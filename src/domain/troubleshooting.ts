/**
 * Where the pages of the service say more about an error code or a check of the doctor: a path on the service itself,
 * which has its pages without a network.
 */
export function troubleshooting (section: string): string {
  return `/docs/operate/troubleshooting#${section}`
}
