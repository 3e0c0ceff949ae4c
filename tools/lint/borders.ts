// Which folder may import which: the table of the `house/imports` lint rule.

/** One row: the files it applies to, and what those files may import. */
export interface Border {
  readonly from: string
  readonly files: RegExp
  /** Specifiers that are allowed; everything else is refused. */
  readonly may: readonly RegExp[]
}

const pkg = /^(?!node:)[a-z@]/
const node = /^node:/
/** Same folder or deeper; `../` never matches. */
const own = /^\.\//
const contract = /^#contract\//
const device = /^#device\//
const sw = /^#sw\//
/** The only access of the page to the worker. */
const bridge = /^#src\/sw-bridge\.ts$/

/** The one store of values outside React. */
const store = /^#src\/lib\/store\.ts$/

/** The tray's view of a job, which the simulation compares with the server's state. */
const shown = /^#src\/features\/publish\/tray\/delivery\.ts$/
/** Ports that no other process of the machine is given. */
const ports = /^#server\/testing\/free-port\.ts$/
/** The simulation also runs the real server modules, as the server's tests do. */
const realServer = /^#server\/(testing|http|services|store)\//

/** Folders of `src/domain`, lowest first. Each may import those before it, so that no cycle is possible. */
export const domains = [
  'text',
  'api',
  'offline',
  'queries',
  'storage',
  'media',
  'plans',
  'install',
  'push',
  'session',
  'drafts',
  'forms',
  'realtime',
  'notifications',
  'messages',
  'posts',
  'identity',
  'people',
  'mutations',
] as const

const domainRows = domains.map((name, index): Border => ({
  from: `src/domain/${name}`,
  files: new RegExp(`^src/domain/${name}/`),
  may: [
    own,
    new RegExp(`^#src/domain/(${domains.slice(0, index + 1).join('|')})/`),
    /^#src\/lib\//,
    contract,
    device,
    pkg,
  ],
}))

/** Folders of `server/services`, lowest first. Each may import those before it. */
export const services = [
  'keys',
  'transaction',
  'replicas',
  'backup',
  'email',
  'auth',
  'mutations',
  'uploads',
  'runtime',
  'media',
  'plans',
  'sellers',
  'people',
  'documents',
  'posts',
  'search',
  'moderation',
  'notices',
  'notifications',
  'holds',
  'payments',
  'memberships',
  'billing',
] as const

const serviceRows = services.map((name, index): Border => ({
  from: `server/services/${name}`,
  files: new RegExp(`^server/services/${name}/`),
  may: [
    own,
    new RegExp(`^#server/services/(${services.slice(0, index + 1).join('|')})/`),
    /^#server\/(http|rules|store|adapters)\//,
    contract,
    node,
    pkg,
  ],
}))

/** The table; the first row whose `files` match a path applies to it. A file without a row may import nothing. */
export const borders: readonly Border[] = [
  { from: 'contract', files: /^contract\//, may: [own, contract, /^valibot$/] },
  { from: 'device', files: /^device\//, may: [own, device, contract, /^idb$/, /^valibot$/] },
  { from: 'sw/sim', files: /^sw\/sim\//, may: [own, sw, device, contract, shown, realServer, node, pkg] },
  {
    from: 'sw/recovery',
    // The queue runs against the real server.
    files: /^sw\/recovery\//,
    may: [own, sw, device, contract, /^#server\//, node, pkg],
  },
  { from: 'sw', files: /^sw\//, may: [own, sw, device, contract, pkg] },

  { from: 'src/ui', files: /^src\/ui\//, may: [own, /^#src\/ui\//, store, pkg] },
  { from: 'src/lib', files: /^src\/lib\//, may: [own, contract, pkg] },
  ...domainRows,
  {
    from: 'src/features/x',
    files: /^src\/features\/[^/]+\//,
    // The bridge is the only access to the queue.
    may: [own, /^#src\/(domain|lib|ui)\//, /^#src\/sw-bridge\.ts$/, contract, device, pkg],
  },
  {
    from: 'src/routes',
    files: /^src\/routes\//,
    // Files with a dash are parts of routes, and no routes.
    may: [own, /^#src\/(domain|features|lib|ui)\//, /^#src\/routes\/-/, bridge, contract, pkg],
  },
  {
    from: 'src/sw-bridge',
    // The bridge, and the page's side of the worker.
    files: /^src\/(sw-bridge|worker|take-over)\.ts$/,
    may: [own, /^#src\/(domain|lib)\//, sw, device, contract, pkg],
  },
  { from: 'src', files: /^src\/[^/]+$/, may: [own, /^#src\//, contract, device, pkg] },

  {
    from: 'server/rules',
    files: /^server\/rules\//,
    // The list of holidays is data.
    may: [own, /^#server\/rules\//, contract, /^@holiday-jp\/holiday_jp$/],
  },
  {
    from: 'server/store',
    files: /^server\/store\//,
    may: [own, /^#server\/store\//, contract, node, /^(drizzle-orm|pg|pg-boss|@electric-sql\/pglite)(\/|$)/],
  },
  {
    from: 'server/adapters',
    files: /^server\/adapters\//,
    may: [own, /^#server\/adapters\//, contract, node, pkg],
  },
  {
    from: 'server/http',
    files: /^server\/http\//,
    // Only the sessions of the store are allowed, to authenticate a request.
    may: [
      own,
      /^#server\/(http|adapters)\//,
      /^#server\/store\/accounts\/sessions\.ts$/,
      contract,
      node,
      pkg,
    ],
  },
  ...serviceRows,
  {
    from: 'server/modules/x',
    files: /^server\/modules\/[^/]+\//,
    may: [own, /^#server\/(http|rules|services|store)\//, /^#server\/deps\.ts$/, contract, node, pkg],
  },
  {
    from: 'server/cli/money',
    // What it recomputes shares no code with what it checks.
    files: /^server\/cli\/money\//,
    may: [own],
  },
  { from: 'server/cli', files: /^server\/cli\//, may: [own, /^#server\//, contract, node, pkg] },
  { from: 'server/sim', files: /^server\/sim\//, may: [own, /^#server\//, contract, node, pkg] },
  { from: 'server/testing', files: /^server\/testing\//, may: [own, /^#server\//, contract, node, pkg] },
  {
    from: 'server/env',
    files: /^server\/env\//,
    may: [own, /^#server\/(adapters|http)\//, contract, node, pkg],
  },
  { from: 'server', files: /^server\/[^/]+$/, may: [own, /^#server\//, contract, node, pkg] },

  // A benchmark fills the search index by the product's rule.
  {
    from: 'bench',
    files: /^bench\//,
    may: [own, /^#bench\//, /^#server\/rules\//, ports, contract, node, pkg],
  },
  // A cluster is of the programs that tests of the server start.
  {
    from: 'e2e/rig/cluster',
    files: /^e2e\/rig\/cluster\//,
    may: [own, /^#e2e\//, /^#server\/testing\//, contract, node, pkg],
  },
  { from: 'e2e', files: /^e2e\//, may: [own, /^#e2e\//, ports, contract, node, pkg] },
  {
    from: 'tools/faults/run',
    files: /^tools\/faults\/run\.ts$/,
    may: [own, /^\.\.\/runs\/begin\.ts$/, node, pkg],
  },
  { from: 'tools/faults', files: /^tools\/faults\/\w+\//, may: [own, /^\.\.\/fault\.ts$/] },
  { from: 'tools/runs', files: /^tools\/runs\//, may: [own, /^\.\.\/testing\/temporary-folder\.ts$/, node] },
  { from: 'tools', files: /^tools\//, may: [own, contract, node, pkg] },
  { from: 'config', files: /^[^/]+$/, may: [own, node, pkg] },
]

/** Additional imports of tests: the runners, and on the server its test helpers. */
const testsMay = [node, /^(vitest|fast-check|fake-indexeddb)(\/|$)/]
const serverTestsMay = [/^#server\/testing\//, pkg]

/**
 * Whether a file may import a specifier.
 * @param path the importing file, relative to the project, with `/`
 * @param specifier as written in the import
 * @returns undefined when it is allowed, else the name of the row that forbids it
 */
export function forbiddenBy(path: string, specifier: string): string | undefined {
  const row = borders.find((it) => it.files.test(path))
  if (!row) return 'a file outside every folder of the table'
  const more = /\.(test|sim|deep)\.tsx?$/.test(path)
    ? [...testsMay, ...(path.startsWith('server/') ? serverTestsMay : [])]
    : []
  // A feature with subfolders may import across them.
  const feature = /^src\/features\/[^/]+\//.exec(path)?.[0]
  if (feature !== undefined && specifier.startsWith(`#${feature}`)) return undefined
  return [...row.may, ...more].some((it) => it.test(specifier)) ? undefined : row.from
}
