// Reads the list of the app's pages in its build.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { type Pages, pagesFrom } from '#contract/pages.ts'

const list = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** A build of the app that was interrupted. */
export class AppUnreadable extends Error {
  constructor(dist: string) {
    super(`アプリのビルド ${dist} が壊れています。npm run build をもう一度実行してください。`)
    this.name = 'AppUnreadable'
  }
}

/** @param dist folder of the built app; without its list every address counts as a page @throws AppUnreadable */
export async function readPages(dist: string): Promise<Pages> {
  const text = await readFile(path.join(dist, 'pages.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return { patternOf: (requestPath) => requestPath }
  const parsed = v.safeParse(list, text)
  if (!parsed.success) throw new AppUnreadable(dist)
  return pagesFrom(parsed.output)
}
