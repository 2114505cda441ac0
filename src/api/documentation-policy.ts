import { createHash } from 'node:crypto'

/**
 * The Content-Security-Policy of the pages under /docs: nothing comes from elsewhere, and nothing runs or styles but
 * files of ours and these texts of `<script>` and `style=`.
 */
export function documentationPolicy (scripts: Iterable<string> = [], styles: Iterable<string> = []): string {
  const styleHashes = hashes(styles)
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    ["script-src 'self'", ...hashes(scripts)].join(' '),
    ["style-src 'self'", ...styleHashes.length > 0 ? ["'unsafe-hashes'", ...styleHashes] : []].join(' ')
  ].join('; ')
}

/** Of pages that we built: no text of others is among them. */
export function policyOfPages (pages: readonly string[]): string {
  return documentationPolicy(found(pages, /<script(?: id="[a-z-]+")?>([^]*?)<\/script>/g),
    found(pages, /<[^<>]* style="([^"<>]*)"/g))
}

function found (pages: readonly string[], pattern: RegExp): Set<string> {
  return new Set(pages.flatMap((page) => [...page.matchAll(pattern)].map(([, text = '']) => text)))
}

function hashes (texts: Iterable<string>): string[] {
  return [...texts].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).sort()
}
