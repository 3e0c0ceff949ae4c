// Writes the app's pages, its build and its commit into the build, for the server.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The pages of a production build, which has no development pages. */
export function pagesIn(routeTree: string): string[] {
  const list = routeTree.split('interface FileRoutesByTo {')[1]?.split('}')[0] ?? ''
  const paths = list.split('\n').flatMap((line) => /^'([^']+)':/.exec(line.trimStart())?.[1] ?? [])
  return paths.filter((it) => !it.startsWith('/dev/'))
}

/** The pages of the route tree that the build has generated. */
export const readPages = (): string[] => pagesIn(readFileSync('src/routeTree.gen.ts', 'utf8'))

/** The short name of the commit; null outside a repository. */
function commitName(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

export function listPages(): Plugin {
  return {
    name: 'list-pages',
    apply: 'build',
    generateBundle() {
      const pages = readPages()
      if (pages.length === 0) throw new Error('src/routeTree.gen.ts names no pages')
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
      const build = { build: process.env['VITE_BUILD'] ?? null, commit: commitName() }
      this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify(build) })
    },
  }
}
