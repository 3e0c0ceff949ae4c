// `npm run sbom`: writes docs/sbom.cdx.json, all locked packages with hashes and licences.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
export const SBOM = join(root, 'docs/sbom.cdx.json')

interface Locked {
  readonly version: string
  /** Set where a package is installed under another name. */
  readonly name?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
}
export interface Lock {
  readonly name: string
  readonly packages: Readonly<Record<string, Locked>>
}

const FOLDER = 'node_modules/'
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function idOf(path: string, it: Locked): string {
  return `${it.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)}@${it.version}`
}

function hashesOf(integrity = ''): object[] {
  const [algorithm, hash = ''] = integrity.split('-')
  const alg = { sha512: 'SHA-512', sha1: 'SHA-1' }[algorithm ?? '']
  return alg ? [{ alg, content: Buffer.from(hash, 'base64').toString('hex') }] : []
}

function licensesOf(license: string | undefined): object[] {
  if (license === undefined) return []
  if (/^[\w.+-]+$/.test(license)) return [{ license: { id: license } }]
  return /^[\w.+() -]+$/.test(license) ? [{ expression: license }] : [{ license: { name: license } }]
}

/** Development packages are excluded, since the product does not contain them. */
const scopeOf = (it: Locked): string => (it.dev ? 'excluded' : it.optional ? 'optional' : 'required')

function componentOf(path: string, it: Locked): object {
  const id = idOf(path, it)
  const at = id.lastIndexOf('@')
  return {
    type: 'library',
    'bom-ref': id,
    name: id.slice(0, at),
    version: it.version,
    scope: scopeOf(it),
    licenses: licensesOf(it.license),
    hashes: hashesOf(it.integrity),
    purl: `pkg:npm/${id.slice(0, at).replace('@', '%40')}@${it.version}`,
  }
}

/** The package that `path` imports as `name`: the nearest one upwards. */
function resolved({ packages }: Lock, path: string, name: string): string | undefined {
  for (let from = path; ;) {
    const tried = `${from === '' ? '' : `${from}/`}${FOLDER}${name}`
    const found = packages[tried]
    if (found) return idOf(tried, found)
    if (from === '') return undefined
    const up = from.lastIndexOf(`/${FOLDER}`)
    from = up === -1 ? '' : from.slice(0, up)
  }
}

function dependsOn(lock: Lock, path: string, it: Locked): string[] {
  const wanted = {
    ...it.dependencies,
    ...it.devDependencies,
    ...it.optionalDependencies,
    ...it.peerDependencies,
  }
  const ids = Object.keys(wanted).flatMap((name) => resolved(lock, path, name) ?? [])
  return [...new Set(ids)].toSorted(byText)
}

/** The SBOM of a lock. The same lock gives the same text: no times, URLs or paths. */
export function sbomOf(lock: Lock): string {
  const own = lock.packages['']
  const installed = Object.entries(lock.packages).filter(([path]) => path.includes(FOLDER))
  // A package in several folders is one component, and required where any of them is.
  const ranks = ['required', 'optional', 'excluded']
  const sorted = installed.toSorted(
    ([a, one], [b, two]) =>
      byText(idOf(a, one), idOf(b, two)) || ranks.indexOf(scopeOf(one)) - ranks.indexOf(scopeOf(two)),
  )
  const components = new Map<string, object>()
  const dependencies = new Map<string, string[]>()
  for (const [path, it] of sorted) {
    const id = idOf(path, it)
    if (!components.has(id)) components.set(id, componentOf(path, it))
    const all = [...(dependencies.get(id) ?? []), ...dependsOn(lock, path, it)]
    dependencies.set(id, [...new Set(all)].toSorted(byText))
  }
  const self = `${lock.name}@${own?.version ?? ''}`
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': self, name: lock.name, version: own?.version ?? '' },
    },
    components: [...components.values()],
    dependencies: [
      { ref: self, dependsOn: own ? dependsOn(lock, '', own) : [] },
      ...Array.from(dependencies, ([ref, on]) => ({ ref, dependsOn: on })),
    ],
  }
  return `${JSON.stringify(bom, null, 1)}\n`
}

export const readLock = (): Lock => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(SBOM, sbomOf(readLock()))
