// The app's page addresses, as the build lists them; other addresses answer 404.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'

const list = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

export interface Pages {
  /** The page's own path, with `$name` for what varies; undefined when no page has this address. */
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
  // Of two pages that match, the one that names more of the address is meant: /post/upload is no post.
  const variable = (it: string) => segmentsOf(it).filter((part) => part.startsWith('$')).length
  const known = patterns
    .toSorted((a, b) => variable(a) - variable(b))
    .map((pattern) => ({ pattern, segments: segmentsOf(pattern) }))
  return {
    patternOf: (requestPath) => known.find((it) => matches(it.segments, segmentsOf(requestPath)))?.pattern,
  }
}

/** @param dist folder of the built app; without its list every address is taken for a page */
export async function readPages(dist: string): Promise<Pages> {
  const text = await readFile(path.join(dist, 'pages.json'), 'utf8').catch(() => undefined)
  return text === undefined ? { patternOf: (requestPath) => requestPath } : pagesFrom(v.parse(list, text))
}
