// Judges the end of a story: every job, and what the server has.
import { addedPostOf } from '#device/jobs/job-rows.ts'
import type { PostSeen } from './servers/server-side.ts'
import type { Stored } from './stored.ts'
import type { World } from './world.ts'

/** What a story has seen of its jobs. */
export interface Ended extends Stored {
  /** Keys of submitted jobs, by job. */
  readonly submitted: ReadonlyMap<string, string>
  readonly cancelled: ReadonlySet<string>
  readonly released: ReadonlySet<string>
  /** Keys of jobs that the browser cleared away. */
  readonly evicted: ReadonlySet<string>
}

/** Says every violation that the end of a story shows. */
export function checkEnd(world: World, ended: Ended): void {
  judgeJobs(world, ended)
  judgePosts(world, ended)
  judgeChecks(world)
}

function judgeJobs({ inspector, copied }: World, ended: Ended): void {
  const { jobs, early, drafts, submitted, cancelled, released } = ended
  for (const id of submitted.keys()) {
    const [waits, isReleased] = [jobs.has(id), released.has(id)]
    if (waits && isReleased) inspector.say('6: a released job is still there')
    if (!waits && !isReleased && !cancelled.has(id)) inspector.say('6: a job has vanished')
  }
  for (const [id, job] of jobs) {
    const { kind, stage, files } = job
    if (stage.is !== 'failed') inspector.say(`6: job never ended: ${JSON.stringify(job)}`)
    else if (stage.code !== 'bytes_missing') inspector.say(`6: a job failed in calm: ${stage.code}`)
    else if (files.every((it) => copied.has(it.id))) inspector.say('6: stored bytes are missing')
    if (!drafts.has(id) && kind === 'post') inspector.say('4: a failed job lost its draft')
  }
  for (const it of early.values())
    if (it.files.some(({ state }) => state.is === 'discarding'))
      inspector.say(`6: what a preupload has sent stays: ${JSON.stringify(it)}`)
}

function judgePosts({ inspector, server, picked }: World, ended: Ended): void {
  const times = new Map<string, number>()
  for (const post of server.posts) {
    times.set(post.content, (times.get(post.content) ?? 0) + post.published)
    if (post.published === 0 && !canBeFinished(post, ended))
      inspector.say('12: a post is left on the server that no device can finish')
    if (post.published > 0 && post.files.join() !== (picked.get(post.content) ?? []).join())
      inspector.say('2: the released bytes are not the picked bytes')
  }
  const posts = server.posts.filter((it) => !ended.evicted.has(it.key))
  if (posts.length > new Set(posts.map((it) => it.content)).size) inspector.say('1: a job made two posts')
  for (const [content, count] of times)
    if (count > 1) inspector.say(`1: ${content} was published ${count} times`)
  const told = [...ended.receipts.values()].filter((it) => it.kind === 'post').map((it) => it.postId)
  if (new Set(told).size !== told.length) inspector.say('1: two jobs are one post')
}

/** Whether a device can finish a post that is not released, or its browser lost everything. */
function canBeFinished(post: PostSeen, { jobs, evicted }: Ended): boolean {
  const isKnown = [...jobs.values()].some(
    (it) => it.key === post.key || (it.kind === 'post' && addedPostOf(it)?.id === post.id),
  )
  return isKnown || evicted.has(post.key)
}

function judgeChecks({ inspector, server, digests }: World): void {
  const checks = server.checks()
  const keys = new Set(checks.map((it) => it.key))
  if (keys.size !== checks.length) inspector.say('1: a job made two identity checks')
  if (checks.some((it) => it.files.some((file) => !digests.has(file))))
    inspector.say('2: a check holds other bytes than were picked')
  if (server.holdsDocument()) inspector.say('8: a document was attached to a post')
}
