// Refuses a build whose files import each other in a circle.
import type { Plugin } from 'vite'

/**
 * Finds files that import each other in a circle. One of them is evaluated before what it imports, and reads `undefined`
 * there: a schema then fails at the first reply that has that part.
 * @param imports what each file imports
 * @returns the files of one circle, each of which imports the next one, and the last one the first; undefined without any
 */
export function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] | undefined => {
    const start = path.indexOf(file)
    if (start !== -1) return path.slice(start)
    if (done.has(file)) return undefined
    path.push(file)
    for (const next of imports.get(file) ?? []) {
      const circle = visit(next)
      if (circle) return circle
    }
    path.pop()
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const circle = visit(file)
    if (circle) return circle
  }
  return undefined
}

/** The mend is a group of `codeSplitting` that has what the files share. */
export const acyclicFiles = (): Plugin => ({
  name: 'todoke:acyclic-files',
  apply: 'build',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle).flatMap((it) => (it.type === 'chunk' ? [it] : []))
    const circle = circleIn(new Map(files.map((it) => [it.fileName, it.imports])))
    if (!circle) return
    const modules = (file: string) => files.find((it) => it.fileName === file)?.moduleIds.slice(0, 12) ?? []
    const lines = circle.map((it) => `${it}: ${modules(it).join(', ')}`)
    this.error(`files of the build import each other in a circle:\n${lines.join('\n')}`)
  },
})
