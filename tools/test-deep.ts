// `npm run test:deep [-- part …]`: runs all long tests; `npm test` runs a sample.
// The last results are committed in docs/deep.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build.ts'
import { entryOf, sum, summary } from './reports.ts'
import { run } from './run.ts'
import { type Outcome, plantedFaults, playwright, vitest } from './runners.ts'
import { beginRun } from './runs/begin.ts'
import { startBusyProcesses } from './testing/busy.ts'
import { lateClock } from './testing/late-clock.ts'

interface FuzzRow {
  readonly mime: string
  readonly from: number
  readonly seconds: number
  readonly files: number
  readonly recognised: number
  readonly made: number
  readonly refused: number
  readonly died: number
  readonly late: number
  readonly leaks: number
  /** Version of the ffmpeg that was used; empty for pictures. */
  readonly ffmpeg: string
}

const folder = 'docs/deep'
/** Of `stories-late`: a minute after its beginning a piece is in the next month. */
const PIECES = 12
/** Of `stories-busy`: decoders run with low priority, and wait for the busy processes at each step. */
const BUSY_DEADLINE_MS = 1_200_000
const head = `# Deep tests

Last results of \`npm run test:deep\`; a part by its name: \`npm run test:deep -- simulation stories\`. \`npm test\` runs a
sample of each.

- \`simulation\`: 10,000 seeds of each simulation of the queue (\`sw/sim\`: posts, mutations, messages with files), and 1,000 with the real server modules.
- \`payments\`, \`memberships\`: 5,000 seeded histories of each on PostgreSQL, where transactions run at the same time, and 500
  on PGlite (\`server/sim\`).
- \`hosted\`: 1,000 seeded histories of payments and of memberships each on PostgreSQL with the hosted sandbox, and 50 on PGlite.
- \`payouts\`: 1,000 seeded histories of sales and payouts on PostgreSQL with failing servers and a bank, and 50 on PGlite.
- \`years\`: 10,000 seeded years of sales, refunds and payouts, with the place of every yen at each step
  (\`server/rules/payouts\`).
- \`stories\`: every browser story, among them the whole matrix of faults and the other browsers.
- \`stories-hosted\`: the stories of buying and joining with the hosted sandbox.
- \`stories-busy\`: the stories of \`npm test\` three times beside ten busy processes (\`ROUNDS=1\`: once).
- \`stories-late\`: the stories of \`npm test\`, in pieces that each begin at 23:59 in Tokyo on the last day of a month, for servers
  and browsers too (\`apt-get install libfaketime\`).
- \`cluster\`: the stories on several servers alone, with 300 MB whose server is killed 20 times (\`e2e/cluster.spec.ts\`).
- \`units\`: the unit tests with all cases of long tables, the files named \`.long.test.ts\` (servers that are killed, paused,
  moved or replaced), the access table on several servers, and modules on both databases; \`npm test\` runs a sample on PostgreSQL alone.
- \`faults\`: every planted fault, which its test must notice ([planted-faults.md](../planted-faults.md)).
- \`lint\`: the time of every regular expression, also of those in tests and tools (\`tools/lint/regexps.ts\`).
- \`growth\`: every parser with all of the worst characters (\`server/growth.deep.ts\`).
- \`upgrades\`: ten new versions in turn replace the running one under load (\`server/two-versions.long.test.ts\`).
- \`container\`: the image of the server, built on a base of Debian's packages by buildah and started by podman as root
  (\`server/container.deep.ts\`; \`apt-get install buildah podman crun mmdebstrap\`).
- \`install\`: the commands of \`docs/operate/install.md\` in a bare Debian 12, as root (\`server/install.deep.ts\`;
  \`apt-get install mmdebstrap iproute2\`), and \`npm ci && npm test\` in one that has only Node 20 and git (\`server/install-tests.deep.ts\`).
- \`media\`: 10,000 changed files of every recognised kind; a table of its own, [media-fuzz.md](media-fuzz.md).

| part | result | seconds | date | commit |
|---|---|---|---|---|
`
const fuzzHead = `# Fuzzed media

Last results of \`npm run test:deep -- media\` (\`KIND=video/mp4 FROM=5001 SEEDS=5000 npm run test:deep -- media\` runs a
piece; 10,000 files per kind are the whole). Each file is a small sound one with one to eight seeded changes, among them
the names of a planted file. \`recognised\`: the server would still accept it. \`died\`: the media process ended; the product
tries again and gives up after four times. \`late\`: ended after 4 s. \`leaks\`: outputs with bytes of the planted file.

\`FFMPEG_FOLDER=/folder\` uses another build of ffmpeg. A version that ends in \`-lean\` is Debian's source with Debian's
patches, configured with \`--enable-gpl --enable-libx264 --enable-zlib --disable-autodetect --disable-network
--disable-hwaccels --disable-vulkan --disable-devices --disable-ffplay --disable-ffprobe --disable-doc --disable-debug\`:
the same demuxers and decoders without 200 shared libraries, started in 5 ms instead of 60. The changed files are the
same, since the sound ones are always made by the ffmpeg on PATH.

| kind | first | files | recognised | made | refused | died | late | leaks | seconds | ffmpeg | date | commit |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
`

const parts: Record<string, () => Promise<Outcome>> = {
  simulation: () => vitest(['sim'], ['sw/'], { SEEDS: '10000', SERVER_SEEDS: '1000' }),
  payments: () =>
    vitest(['sim'], ['server/sim/money.sim.ts'], { MONEY_SEEDS: '500', MONEY_POSTGRES_SEEDS: '5000' }),
  memberships: () =>
    vitest(['sim'], ['server/sim/memberships.sim.ts'], { MONEY_SEEDS: '500', MONEY_POSTGRES_SEEDS: '5000' }),
  hosted: () =>
    vitest(['sim'], ['server/sim/money.sim.ts', 'server/sim/memberships.sim.ts'], {
      PAYMENTS: 'hosted-sandbox',
      MONEY_SEEDS: '50',
      MONEY_POSTGRES_SEEDS: '1000',
    }),
  payouts: () =>
    vitest(['sim'], ['server/sim/payouts.sim.ts'], { MONEY_SEEDS: '50', MONEY_POSTGRES_SEEDS: '1000' }),
  years: () => vitest(['unit'], ['server/rules/payouts/payout.test.ts'], { YEARS: '10000' }),
  stories: () => wholeStories(),
  'stories-hosted': () => hostedStories(),
  'stories-busy': () => busyStories(),
  'stories-late': () => lateStories(),
  cluster: () => wholeStories('cluster'),
  units: () => vitest(['unit*'], [], { UNITS: 'whole', DATABASES: 'both' }),
  faults: plantedFaults,
  lint: () => wholeLint(),
  growth: () => vitest(['deep'], ['growth']),
  upgrades: () => vitest(['unit-long'], ['server/two-versions.long.test.ts'], { ROUNDS: '10' }),
  install: () => vitest(['deep'], ['install']),
  container: () => vitest(['deep'], ['container']),
  media: fuzzMedia,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((it) => !(it in parts))
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`)

await beginRun({ inMemory: true })
const commit = (await run(['git', 'rev-parse', '--short', 'HEAD'])).output.trim()
const date = new Date().toISOString().slice(0, 10)
for (const [name, runPart] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n── ${name}`)
  const began = performance.now()
  const { counts, failures } = await runPart()
  const seconds = Math.round((performance.now() - began) / 1000)
  for (const it of failures) console.log(`\n✗ ${entryOf(it)}`)
  console.log(`${name}: ${summary(counts)} (${seconds} s)`)
  if (counts.failed > 0) process.exitCode = 1
  if (name !== 'media')
    updateTable('README.md', head, new Map([[name, [name, summary(counts), seconds, date, commit]]]))
}

/** @param args names of files; all without them */
async function wholeStories(...args: string[]): Promise<Outcome> {
  const { code } = await buildIfStale(true)
  if (code !== 0) throw new Error('the app could not be built')
  return playwright({ STORIES: 'whole' }, args)
}

/** The stories of payments, with the provider whose page a redirect opens. */
async function hostedStories(): Promise<Outcome> {
  const { code } = await buildIfStale(true)
  if (code !== 0) throw new Error('the app could not be built')
  return playwright({ STORIES: 'whole', PAYMENT_PROVIDER: 'hosted-sandbox' }, ['buying', 'joining'])
}

/** @returns what several runs of stories found together */
async function repeated(runs: number, runStories: (number: number) => Promise<Outcome>): Promise<Outcome> {
  const { code } = await buildIfStale(true)
  if (code !== 0) throw new Error('the app could not be built')
  const outcomes: Outcome[] = []
  for (let number = 1; number <= runs; number++) outcomes.push(await runStories(number))
  return {
    counts: sum(outcomes.map((it) => it.counts)),
    failures: outcomes.flatMap((it) => it.failures),
  }
}

function busyStories(): Promise<Outcome> {
  return repeated(Number(process.env['ROUNDS'] ?? 3), () => {
    const endBusyProcesses = startBusyProcesses(10)
    return playwright({ DEADLINE_MS: String(BUSY_DEADLINE_MS) }).finally(endBusyProcesses)
  })
}

function lateStories(): Promise<Outcome> {
  return repeated(PIECES, (piece) => playwright(lateClock(), [`--shard=${piece}/${PIECES}`]))
}

async function wholeLint(): Promise<Outcome> {
  const { code, output } = await run(['oxlint', '--type-aware', '--deny-warnings'], {
    env: { LINT: 'whole' },
  })
  const [passed, failed] = code === 0 ? [1, 0] : [0, 1]
  return {
    counts: { passed, failed, skipped: 0 },
    failures: failed ? [{ name: 'lint', message: output }] : [],
  }
}

async function fuzzMedia(): Promise<Outcome> {
  const scratch = mkdtempSync(join(tmpdir(), 'todoke-deep-'))
  const results = join(scratch, 'results.jsonl')
  const outcome = await vitest(['deep'], ['fuzz'], { DEEP_RESULTS: results })
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : []
  rmSync(scratch, { recursive: true })
  const rows = lines.map((line) => {
    const it = JSON.parse(line) as FuzzRow
    const counts = [it.files, it.recognised, it.made, it.refused, it.died, it.late, it.leaks, it.seconds]
    return [`${it.mime} | ${it.from}`, [it.mime, it.from, ...counts, it.ffmpeg, date, commit]] as const
  })
  updateTable('media-fuzz.md', fuzzHead, new Map(rows))
  return outcome
}

/** Updates rows of a table. @param rows cells by the beginning of their row; a new result replaces an earlier one */
function updateTable(
  name: string,
  text: string,
  rows: ReadonlyMap<string, readonly (string | number)[]>,
): void {
  const file = join(folder, name)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const earlier = lines
    .slice(lines.findIndex((it) => it.startsWith('|---')) + 1)
    .filter((it) => it.startsWith('| '))
  const isReplaced = (line: string) => [...rows.keys()].some((it) => line.startsWith(`| ${it} |`))
  const table = [
    ...earlier.filter((it) => !isReplaced(it)),
    ...[...rows.values()].map((cells) => `| ${cells.join(' | ')} |`),
  ]
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${text}${table.toSorted().join('\n')}\n`)
}
