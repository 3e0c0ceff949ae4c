// Checks all jobs, and the posts on the server, at the end of a story.
import { addedPostOf } from '#device/jobs/job-rows.ts'
import type { ServerPost } from './servers/story-server.ts'
import type { StoredRows } from './stored-rows.ts'
import type { World } from './world.ts'

/** The stored rows at the end of a story, and what it recorded of its jobs. */
export interface FinalState extends StoredRows {
  /** Keys of submitted jobs, by job. */
  readonly submitted: ReadonlyMap<string, string>
  readonly cancelled: ReadonlySet<string>
  readonly released: ReadonlySet<string>
  /** Keys of jobs that the browser evicted. */
  readonly evicted: ReadonlySet<string>
}

/** Reports every violation at the end of a story. */
export function checkFinalState(world: World, state: FinalState): void {
  checkJobs(world, state)
  checkPosts(world, state)
  checkIdentityChecks(world)
}

function checkJobs({ inspector, copied }: World, state: FinalState): void {
  const { jobs, early, drafts, submitted, cancelled, released } = state
  for (const id of submitted.keys()) {
    const [isQueued, isReleased] = [jobs.has(id), released.has(id)]
    if (isQueued && isReleased) inspector.report('6: a released job is still stored')
    const isEnded = isReleased || cancelled.has(id) || inspector.delivered.has(id)
    if (!isQueued && !isEnded) inspector.report('6: a job has disappeared')
  }
  for (const [id, job] of jobs) {
    const { kind, stage, files } = job
    if (stage.is !== 'failed') inspector.report(`6: job never ended: ${JSON.stringify(job)}`)
    else if (stage.code !== 'bytes_missing')
      inspector.report(`6: a job failed in the stable phase: ${stage.code}`)
    else if (files.every((it) => copied.has(it.id))) inspector.report('6: stored bytes are missing')
    if (!drafts.has(id) && kind === 'post') inspector.report('4: a failed job lost its draft')
  }
  for (const it of early.values())
    if (it.files.some((file) => file.state.is === 'discarding'))
      inspector.report(`6: a preupload does not finish discarding: ${JSON.stringify(it)}`)
}

function checkPosts({ inspector, server, picked }: World, state: FinalState): void {
  const times = new Map<string, number>()
  for (const post of server.posts) {
    times.set(post.content, (times.get(post.content) ?? 0) + post.published)
    if (post.published === 0 && !canBeFinished(post, state))
      inspector.report('12: a post is left on the server that no device can finish')
    if (post.published > 0 && post.files.join() !== (picked.get(post.content) ?? []).join())
      inspector.report('2: the released bytes are not the picked bytes')
  }
  const posts = server.posts.filter((it) => !state.evicted.has(it.key))
  if (posts.length > new Set(posts.map((it) => it.content)).size) inspector.report('1: a job made two posts')
  for (const [content, count] of times)
    if (count > 1) inspector.report(`1: ${content} was published ${count} times`)
  const postIds = [...state.receipts.values()].filter((it) => it.kind === 'post').map((it) => it.postId)
  if (new Set(postIds).size !== postIds.length) inspector.report('1: two receipts name one post')
}

/** Whether a device can finish a post that is not released; true also if the browser evicted its job. */
function canBeFinished(post: ServerPost, { jobs, evicted }: FinalState): boolean {
  const isKnown = [...jobs.values()].some(
    (it) => it.key === post.key || (it.kind === 'post' && addedPostOf(it)?.id === post.id),
  )
  return isKnown || evicted.has(post.key)
}

function checkIdentityChecks({ inspector, server, digests }: World): void {
  const checks = server.checks()
  const keys = new Set(checks.map((it) => it.key))
  if (keys.size !== checks.length) inspector.report('1: a job made two identity checks')
  if (checks.some((it) => it.files.some((file) => !digests.has(file))))
    inspector.report('2: a check has other bytes than were picked')
  if (server.holdsDocument()) inspector.report('8: a document was attached to a post')
}
