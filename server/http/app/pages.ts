// Reads the list of the app's pages in its build.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { type Pages, pagesFrom } from '#contract/pages.ts'

const list = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** @param dist folder of the built app; without its list every address counts as a page */
export async function readPages(dist: string): Promise<Pages> {
  const text = await readFile(path.join(dist, 'pages.json'), 'utf8').catch(() => undefined)
  return text === undefined ? { patternOf: (requestPath) => requestPath } : pagesFrom(v.parse(list, text))
}
