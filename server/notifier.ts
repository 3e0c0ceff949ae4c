// Telling people of what happened: a line of their list, a push, a letter, by the transaction in which it happens.
import { personChannel } from '#contract/channels.ts'
import { newId } from '#contract/ids.ts'
import type { After } from './commit.ts'
import { type Happening, type Line, lineOf } from './rules/happenings.ts'
import type { Db } from './store/database.ts'
import { beginFanOut } from './store/fan-outs.ts'
import type { JobData, JobName, Jobs } from './store/jobs.ts'
import {
  countUnreadOf,
  forgetComment,
  gather,
  gatherForMany,
  type NewLine,
  takeActorOut,
} from './store/notifications.ts'
import { findTold, type Told } from './store/told.ts'

/** All of it inside the transaction of the act; what has to wait for the commit waits in `after`. */
export interface Notify {
  /** Tells whoever it happened to, unless they did it themselves, do not see who did, or want none of it. */
  tell(tx: Db, after: After, it: Happening): Promise<void>
  /** The act was taken back: whoever did it leaves the line. */
  takeBack(tx: Db, after: After, it: Happening): Promise<void>
  /** A comment is gone: lines about it go. */
  forgetComment(tx: Db, after: After, postId: string, commentId: string): Promise<void>
  /** Tells many people the same, once: a job does it stretch by stretch. */
  announce(tx: Db, after: After, kind: 'post' | 'notice', subjectId: string): Promise<void>
  /** One stretch of an announcement. */
  tellMany(tx: Db, after: After, news: readonly News[]): Promise<void>
  /** Says to somebody's open apps how many lines are unread. */
  sayUnread(tx: Db, after: After, userIds: readonly string[]): Promise<void>
}

export interface News {
  readonly told: Told
  readonly line: Line
}

type WorkOf<N extends JobName> = { readonly name: N; readonly data: JobData[N] }
type Work = WorkOf<'notification.push'> | WorkOf<'notification.mail'>

/** Whoever wants a kind nowhere is not told at all. */
const wanted = ({ ways, hasDevice }: Told) => ways.inApp || (ways.push && hasDevice) || ways.mail

const newLine = ({ told, line }: News): NewLine => ({
  ...line,
  id: newId(),
  userId: told.id,
  inApp: told.ways.inApp,
})

/** What carries a line out of the app. A letter is written once for each line that the app shows. */
function workFor(id: string, { ways, hasDevice }: Told, how: { fresh: boolean; tells: boolean }): Work[] {
  const work: Work[] = []
  if (how.tells && ways.push && hasDevice)
    work.push({ name: 'notification.push', data: { notificationId: id } })
  if (ways.mail && (how.fresh || (how.tells && !ways.inApp)))
    work.push({ name: 'notification.mail', data: { notificationId: id } })
  return work
}

export function notifier(jobs: Pick<Jobs, 'enqueue' | 'enqueueMany'>, clock: () => number): Notify {
  async function enqueue(tx: Db, after: After, work: readonly Work[]): Promise<void> {
    for (const [name, some] of Map.groupBy(work, (it) => it.name)) {
      await jobs.enqueueMany(
        tx,
        name,
        some.map((it) => it.data),
      )
      after.wake(name)
    }
  }
  async function sayUnread(tx: Db, after: After, userIds: readonly string[]): Promise<void> {
    for (const [id, unread] of await countUnreadOf(tx, userIds))
      after.say({ channel: personChannel(id), event: 'notifications.changed', data: { unread } })
  }
  const sayLines = (after: After, userId: string) =>
    after.say({ channel: personChannel(userId), event: 'lines.changed', data: {} })
  return {
    sayUnread,
    async tell(tx, after, it) {
      const line = lineOf(it)
      if (line.idolId === it.to) return
      const told = await findTold(tx, it.to, line.idolId, line.settingCd)
      if (!told || !wanted(told)) return
      const gathered = await gather(tx, newLine({ told, line }), clock())
      await enqueue(tx, after, workFor(gathered.id, told, gathered))
      if (!told.ways.inApp) return
      if (gathered.appeared) await sayUnread(tx, after, [told.id])
      // As many are unread as before: nothing is counted for it.
      else sayLines(after, told.id)
    },
    async takeBack(tx, after, it) {
      const { idolId, groupKey } = lineOf(it)
      if (idolId === null || idolId === it.to) return
      const emptied = await takeActorOut(tx, { userId: it.to, groupKey, actorId: idolId })
      if (!emptied) return
      sayLines(after, it.to)
      await sayUnread(tx, after, [it.to])
    },
    async forgetComment(tx, after, postId, commentId) {
      await sayUnread(tx, after, await forgetComment(tx, postId, commentId))
    },
    async announce(tx, after, kind, subjectId) {
      if (!(await beginFanOut(tx, kind, subjectId, clock()))) return
      const name = kind === 'post' ? 'post.fan-out' : 'notice.fan-out'
      await jobs.enqueue(tx, name, { subjectId, stretch: 0 })
      after.wake(name)
    },
    async tellMany(tx, after, news) {
      const some = news.filter((it) => wanted(it.told))
      const made = await gatherForMany(tx, some.map(newLine), clock())
      const toldById = new Map(some.map((it) => [it.told.id, it.told]))
      const begun = made.flatMap(({ id, userId }) => {
        const told = toldById.get(userId)
        return told ? [{ id, told }] : []
      })
      const how = { fresh: true, tells: true }
      await enqueue(
        tx,
        after,
        begun.flatMap(({ id, told }) => workFor(id, told, how)),
      )
      await sayUnread(
        tx,
        after,
        begun.filter((it) => it.told.ways.inApp).map((it) => it.told.id),
      )
    },
  }
}
