// Writes the paths of the app's pages into the build, for the server.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The pages of a production build, which has no development pages. */
export function pagesIn(routeTree: string): string[] {
  const list = routeTree.split('interface FileRoutesByTo {')[1]?.split('}')[0] ?? ''
  const paths = list.split('\n').flatMap((line) => /^'([^']+)':/.exec(line.trimStart())?.[1] ?? [])
  return paths.filter((it) => !it.startsWith('/dev/'))
}

export function listPages(): Plugin {
  return {
    name: 'list-pages',
    apply: 'build',
    generateBundle() {
      const pages = pagesIn(readFileSync('src/routeTree.gen.ts', 'utf8'))
      if (pages.length === 0) throw new Error('src/routeTree.gen.ts names no pages')
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
    },
  }
}
