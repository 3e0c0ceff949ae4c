// The app's page addresses, as the build lists them; others are not found.

/** Reason phrase of a 404 for an address without a page (specification sections 2 and 8). */
export const PAGE_NOT_FOUND = 'Page not found'

export interface Pages {
  /** The pattern of a page's path, with `$name` for variable segments; undefined for an unknown address. */
  patternOf(path: string): string | undefined
}

const segmentsOf = (it: string) => it.split('/').filter((part) => part !== '')

function matches(pattern: readonly string[], requestPath: readonly string[]): boolean {
  return (
    pattern.length === requestPath.length &&
    pattern.every((part, i) => part.startsWith('$') || part === requestPath[i])
  )
}

export function pagesFrom(patterns: readonly string[]): Pages {
  // Of two matching patterns the one with fewer variable segments comes first: /post/upload before /post/$id.
  const variable = (it: string) => segmentsOf(it).filter((part) => part.startsWith('$')).length
  const known = patterns
    .toSorted((a, b) => variable(a) - variable(b))
    .map((pattern) => ({ pattern, segments: segmentsOf(pattern) }))
  return {
    patternOf: (requestPath) => known.find((it) => matches(it.segments, segmentsOf(requestPath)))?.pattern,
  }
}
