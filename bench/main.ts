// Runs measurements by name: `npm run bench -- feed=20 kills=10` (seconds, or number of kills).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { benchAudit } from './audit.ts'
import { benchCapacity } from './capacity/main.ts'
import { benchCosts } from './capacity/costs/main.ts'
import { benchVersions } from './capacity/costs/versions.ts'
import { benchCases } from './cases.ts'
import { benchBroadcast } from './broadcast.ts'
import { benchCollection } from './collection/main.ts'
import { benchMemory } from './copying.ts'
import { benchConversations } from './conversations.ts'
import { benchFeed } from './feed.ts'
import { benchKills } from './kills.ts'
import { benchLifetimes } from './lifetimes.ts'
import { benchMedia } from './media.ts'
import { benchMessages } from './messages.ts'
import { benchMobile } from './mobile.ts'
import { benchMoney } from './money.ts'
import { benchNotices } from './notices.ts'
import { benchOffline } from './offline.ts'
import { benchPages } from './pages.ts'
import { benchRealtime } from './realtime.ts'
import { benchFolding } from './database/folding.ts'
import { benchReplicas } from './database/replicas.ts'
import { benchTopics } from './realtime/topics.ts'
import { benchResume } from './resume.ts'
import { benchScroll } from './scroll.ts'
import { benchStoppers } from './stoppers.ts'
import { benchThread } from './thread.ts'
import { benchTwoServers } from './two-servers.ts'
import { benchTyping } from './typing.ts'
import { benchUpload } from './upload.ts'
import { benchUploadStores } from './upload-stores.ts'

const benches: Record<string, (count?: number) => Promise<void>> = {
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

const names = process.argv.slice(2)
for (const it of names.length > 0 ? names : ['upload']) {
  const [name = '', count] = it.split('=')
  const bench = benches[name]
  if (bench) await bench(count === undefined ? undefined : Number(count))
  else {
    console.error(`no bench is called ${name}; there is: ${Object.keys(benches).join(', ')}`)
    process.exitCode = 2
  }
}
// Handles of killed browsers would keep this process alive.
process.exit()
