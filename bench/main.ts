// Runs measurements by name: `npm run bench -- feed=20 kills=10` (seconds, or number of kills). With `save` the results of
// those that measure in rounds are added to bench/results and docs/figures.md; `page` only writes that page anew.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { benchAll, type BenchName } from './all.ts'
import { benchAudit } from './audit.ts'
import { benchCapacity } from './capacity/main.ts'
import { benchCosts } from './capacity/costs/main.ts'
import { benchVersions } from './capacity/costs/versions.ts'
import { benchCases } from './cases.ts'
import { benchBroadcast } from './broadcast.ts'
import { benchCollection } from './collection/main.ts'
import { benchMemory } from './uploads/copying.ts'
import { benchConversations } from './conversations.ts'
import { benchFeed } from './feed.ts'
import { benchKills } from './kills.ts'
import { benchLifetimes } from './lifetimes.ts'
import { benchMedia } from './media.ts'
import { benchMessages } from './messages.ts'
import { benchMobile } from './uploads/mobile.ts'
import { benchMoney } from './money.ts'
import { benchNotices } from './notices.ts'
import { benchOffline } from './offline.ts'
import { benchPages } from './pages.ts'
import { benchRealtime } from './realtime.ts'
import { benchFolding } from './database/folding.ts'
import { benchReplicas } from './database/replicas.ts'
import { benchTopics } from './realtime/topics.ts'
import { benchResume } from './uploads/resume.ts'
import type { Measured } from './rounds/rounds.ts'
import { commitName, saveResults, writePage } from './rounds/save.ts'
import { benchScroll } from './scroll.ts'
import { benchStoppers } from './stoppers.ts'
import { benchThread } from './thread.ts'
import { benchTwoServers } from './two-servers.ts'
import { benchTyping } from './typing.ts'
import { benchUpload } from './uploads/upload.ts'
import { benchUploadStores } from './uploads/stores.ts'

/** The results of a bench that measures in rounds; others print theirs. */
type Results = readonly Measured[] | void

const benches: Record<BenchName, (count?: number) => Promise<Results>> = {
  upload: benchUpload,
  'upload-stores': benchUploadStores,
  audit: benchAudit,
  capacity: benchCapacity,
  cases: benchCases,
  costs: benchCosts,
  collection: benchCollection,
  'costs-versions': benchVersions,
  replicas: benchReplicas,
  resume: benchResume,
  memory: benchMemory,
  media: benchMedia,
  messages: benchMessages,
  mobile: benchMobile,
  kills: benchKills,
  lifetimes: benchLifetimes,
  feed: benchFeed,
  folding: benchFolding,
  pages: benchPages,
  notices: benchNotices,
  offline: benchOffline,
  money: benchMoney,
  broadcast: benchBroadcast,
  realtime: benchRealtime,
  'realtime-topics': benchTopics,
  conversations: benchConversations,
  scroll: benchScroll,
  stoppers: benchStoppers,
  thread: benchThread,
  'two-servers': benchTwoServers,
  typing: benchTyping,
  firefox: async () => hiddenFirefox(),
}

/** Runs the Firefox measurement, which uses the rig of the browser stories and is in their folder. */
function hiddenFirefox(): void {
  const program = join(import.meta.dirname, '../e2e/hidden-firefox.ts')
  const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

const isBench = (name: string): name is BenchName => Object.hasOwn(benches, name)

/** @param word name of a bench, and its count: `upload=400` */
async function runBench(word: string, isSaved: boolean): Promise<void> {
  const [name = '', count] = word.split('=')
  if (!isBench(name)) {
    const known = ['all', 'page', ...Object.keys(benches)].join(', ')
    console.error(`no bench is called ${name}; there is: ${known}`)
    process.exitCode = 2
    return
  }
  const commit = isSaved ? commitName() : ''
  const results = await benches[name](count === undefined ? undefined : Number(count))
  if (!isSaved) return
  if (results) saveResults(name, commit, results)
  else console.log(`${name}: its results are printed only`)
}

const words = process.argv.slice(2)
const names = words.filter((it) => it !== 'save')
for (const it of names.length > 0 ? names : ['upload']) {
  if (it === 'page') writePage()
  else if (it !== 'all') await runBench(it, words.includes('save'))
  else if (!(await benchAll())) process.exitCode = 1
}
// Handles of killed browsers would keep this process alive.
process.exit()
