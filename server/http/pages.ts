// The app's page addresses, as the build lists them; others are not found.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'

const list = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

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

/** @param dist folder of the built app; without its list every address counts as a page */
export async function readPages(dist: string): Promise<Pages> {
  const text = await readFile(path.join(dist, 'pages.json'), 'utf8').catch(() => undefined)
  return text === undefined ? { patternOf: (requestPath) => requestPath } : pagesFrom(v.parse(list, text))
}
