// Builds the product's device and queue code as one function of a browser's globals.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { build, type Plugin } from 'vite'
import { SimBlob, SimFile } from './bytes.ts'

/** A text of the product that is replaced before it is built. */
export interface Change {
  /** Path from the project's root. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly by: string
}

/** The globals that differ between browsers and between their pages; everything else is the language's own. */
export const globalNames = [
  'globalThis',
  'structuredClone',
  'setImmediate',
  'indexedDB',
  'IDBKeyRange',
  'IDBDatabase',
  'IDBObjectStore',
  'IDBIndex',
  'IDBCursor',
  'IDBTransaction',
  'IDBRequest',
  'BroadcastChannel',
  'navigator',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'fetch',
  'AbortController',
  'Date',
  'Math',
  'crypto',
  'Blob',
  'File',
  'FormData',
  'console',
] as const
export type Globals = Partial<Record<(typeof globalNames)[number], unknown>>

/** Runs the built modules with these globals, without state of other runs. */
export type Program<T> = (globals: Globals) => T

/** Stateless packages and modules: one run of them serves every page. */
const shared =
  /^(valibot|tus-js-client)$|^#contract\/(?!client|ids|limits|digest|uploads\/parts)|^#device\/(database\/(schema|stores)|jobs\/(job-rows|file-row|failure-code|wait-row)|cache\/(response-row|picture-row)|files\/conversion-row)\.ts$/

const root = new URL('../../../', import.meta.url).pathname
const built = new Map<string, Promise<string>>()

/** Builds the product with these changes. @throws when a text to change does not occur exactly once */
export function programOf(changes: readonly Change[]): Promise<Program<typeof import('./entry.ts')>> {
  const key = JSON.stringify(changes)
  let program = programs.get(key)
  if (!program) programs.set(key, (program = buildProgram(changes)))
  return program
}

/** Programs by their changes: all stories share a program, so that V8 optimises it once. */
const programs = new Map<string, Promise<Program<typeof import('./entry.ts')>>>()

async function buildProgram(changes: readonly Change[]): Promise<Program<typeof import('./entry.ts')>> {
  const libraries = await sharedLibraries()
  const code = await bundle('sw/sim/browser/entry.ts', changes, true)
  return programFrom(code, (name) => libraries[name])
}

/** Builds fake-indexeddb as a function of its scheduler and its function that copies rows. */
export async function programOfDatabase(): Promise<Program<typeof import('fake-indexeddb')>> {
  return programFrom(
    await bundle(
      createRequire(import.meta.url)
        .resolve('fake-indexeddb')
        .replace('/cjs/', '/esm/'),
      [],
      false,
    ),
  )
}

let libraries: Promise<Record<string, unknown>> | undefined
function sharedLibraries(): Promise<Record<string, unknown>> {
  libraries ??= (async () => {
    const names = sharedNames(await bundle('sw/sim/browser/entry.ts', [], true))
    const text = names.map((name, i) => `import * as m${i} from ${JSON.stringify(name)}\n`).join('')
    const list = names.map((name, i) => `${JSON.stringify(name)}: m${i}`).join(', ')
    const code = await bundle('sw/sim/libraries.ts', [], false, `${text}export const all = { ${list} }`)
    return programFrom<{ all: Record<string, unknown> }>(code)({ Blob: SimBlob, File: SimFile }).all
  })()
  return libraries
}

const sharedNames = (code: string): string[] => [
  ...new Set([...code.matchAll(/\brequire\("([^"]+)"\)/g)].map((it) => it[1] ?? '')),
]

function programFrom<T>(code: string, require: (name: string) => unknown = () => undefined): Program<T> {
  // The code was built from this repository; it gets these globals instead of Node's.
  const run = compileFunction(code, ['require', 'exports', 'module', ...globalNames]) as (
    ...args: unknown[]
  ) => void
  return (globals) => {
    const module = { exports: {} }
    const values = globalNames.map((name) => globals[name] ?? (globalThis as Record<string, unknown>)[name])
    run(require, module.exports, module, ...values)
    return module.exports as T
  }
}

function bundle(entry: string, changes: readonly Change[], share: boolean, text?: string): Promise<string> {
  const key = JSON.stringify([entry, changes, text])
  let code = built.get(key)
  if (!code) built.set(key, (code = bundleNow(entry, changes, share, text)))
  return code
}

async function bundleNow(
  entry: string,
  changes: readonly Change[],
  share: boolean,
  text: string | undefined,
): Promise<string> {
  const unused = new Set(changes)
  const plugin: Plugin = {
    name: 'simulated-program',
    enforce: 'pre',
    resolveId(source, importer) {
      if (text !== undefined && source === root + entry) return source
      if (text !== undefined && /^#(contract|device)\//.test(source)) return source.replace('#', root)
      // Modules of one folder import each other by relative paths.
      const folder = /\/(contract|device)\/[^/]+$/.exec(importer ?? '')?.[1]
      const name = folder && source.startsWith('./') ? `#${folder}/${source.slice(2)}` : source
      return share && shared.test(name) ? { id: name, external: true } : undefined
    },
    load(id) {
      if (text !== undefined && id === root + entry) return text
      const ownChanges = changes.filter((it) => id === root + it.file)
      if (ownChanges.length === 0) return undefined
      let code = readFileSync(id, 'utf8')
      for (const it of ownChanges) {
        if (code.split(it.find).length !== 2)
          throw new Error(`${it.file} must contain exactly once: ${it.find}`)
        code = code.replace(it.find, () => it.by)
        unused.delete(it)
      }
      return code
    },
  }
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [plugin],
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry, formats: ['cjs'] },
    },
  })
  for (const { file } of unused) throw new Error(`${file} is not part of the program`)
  const [first] = Array.isArray(output) ? output : [output]
  if (!first || !('output' in first)) throw new Error('nothing was built')
  // A copy of every library's exports for each page would take longer than the page.
  return first.output[0].code.replaceAll(/= __toESM\(([\w$]+)(, \d)?\)/g, '= $1')
}
