// Resolves the files of drizzle-orm without its package.json.
import { registerHooks } from 'node:module'

const FOLDER = '/node_modules/drizzle-orm/'

/**
 * Makes relative imports within drizzle-orm skip Node's own resolution. Node reads the package.json of a package for each of
 * its modules. That of drizzle-orm has 179 KB, and about 300 of its modules are loaded: this was a sixth of the time
 * of a start. Call it before the first import of drizzle-orm.
 */
export function resolveDrizzleDirectly(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context
      if (!specifier.startsWith('.') || !parentURL?.includes(FOLDER)) return next(specifier, context)
      // Its relative imports name files with their endings, all of them ES modules.
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    },
  })
}
