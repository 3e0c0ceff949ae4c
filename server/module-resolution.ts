// Resolves modules without reading package.json for each of them.
import { registerHooks, type ResolveFnOutput } from 'node:module'

const DRIZZLE = '/node_modules/drizzle-orm/'
const PACKAGES = '/node_modules/'
/** The folder of the project, to which `#` in imports refers (`imports` in package.json). */
const PROJECT = new URL('../', import.meta.url).href

/** The file that an import of a file of the project names; undefined for an import of a package. */
function ownFile(specifier: string, parent: string): string | undefined {
  if (!specifier.endsWith('.ts')) return undefined
  if (specifier.startsWith('#')) return PROJECT + specifier.slice(1)
  return specifier.startsWith('.') ? new URL(specifier, parent).href : undefined
}

/**
 * Makes imports skip Node's own resolution, which reads and parses the package.json of the importing and of the imported module each
 * time: that was a fifth of the time of a start. Three kinds of imports skip it: those of the project's own files, those of a package
 * by a file of the project from the second on, and relative ones within drizzle-orm, whose package.json has 179 KB. Call it before
 * the first of these imports.
 */
export function resolveDirectly(): void {
  const packages = new Map<string, ResolveFnOutput>()
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL: parent = '' } = context
      // Its relative imports name files with their endings, all of them ES modules.
      if (specifier.startsWith('.') && parent.includes(DRIZZLE))
        return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true }
      // Packages may have further versions of a package in folders of their own.
      if (!parent.startsWith(PROJECT) || parent.includes(PACKAGES)) return next(specifier, context)
      const url = ownFile(specifier, parent)
      if (url !== undefined) return { url, format: 'module-typescript', shortCircuit: true }
      const known = packages.get(specifier)
      if (known) return known
      const found = next(specifier, context)
      // A relative address has another meaning in each folder.
      if (!specifier.startsWith('.')) packages.set(specifier, { ...found, shortCircuit: true })
      return found
    },
  })
}
