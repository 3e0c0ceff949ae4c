// Notifications of events: rows of a person's list, pushes and emails, written in the transaction of the event.
import { personChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import type { After } from '#server/services/transaction/commit.ts'
import {
  type NotificationEvent,
  type NotificationFields,
  notificationOf,
} from '#server/rules/notification-events.ts'
import type { Db } from '#server/store/database.ts'
import { beginFanOut } from '#server/store/notifications/fan-outs.ts'
import type { JobData, JobName, Jobs } from '#server/store/jobs.ts'
import {
  addNotifications,
  countUnreadOf,
  type NewNotification,
  removeActor,
  removeCommentNotifications,
  type Upserted,
  upsertNotification,
} from '#server/store/notifications/notifications.ts'
import { findRecipient, type Recipient } from '#server/store/notifications/recipients.ts'

/** Every method runs inside the transaction of the event; what has to wait for the commit waits in `after`. */
export interface Notifier {
  /** Notifies `it.to`, unless they caused the event, are blocked from or have muted its actor, or turned its kind off. */
  notify(tx: Db, after: After, it: NotificationEvent): Promise<void>
  /** The event was undone (a like taken back): its actor leaves the notification. */
  retract(tx: Db, after: After, it: NotificationEvent): Promise<void>
  /** A comment was deleted: notifications about it are deleted. */
  removeComment(tx: Db, after: After, postId: string, commentId: string): Promise<void>
  /** Notifies many people of one post or notice, once: a job does it batch by batch. */
  broadcast(tx: Db, after: After, kind: 'post' | 'notice', subjectId: string): Promise<void>
  /** One batch of a broadcast. */
  notifyMany(tx: Db, after: After, all: readonly AddressedNotification[]): Promise<void>
  /** Publishes to each person's open apps how many notifications are unread. */
  publishUnreadCount(tx: Db, after: After, userIds: readonly string[]): Promise<void>
}

export interface AddressedNotification {
  readonly recipient: Recipient
  readonly fields: NotificationFields
}

type WorkOf<N extends JobName> = { readonly name: N; readonly data: JobData[N] }
type Work = WorkOf<'notification.push'> | WorkOf<'notification.mail'>

/** Whether any channel of this kind is on; without one no row is written. */
const isWanted = ({ ways, hasDevice }: Recipient) => ways.inApp || (ways.push && hasDevice) || ways.mail

const newNotification = ({ recipient, fields }: AddressedNotification): NewNotification => ({
  ...fields,
  id: newId(),
  userId: recipient.id,
  inApp: recipient.ways.inApp,
})

/** Jobs for a notification's push and email. An email is sent once for each notification that the list shows. */
function workFor(
  id: string,
  { ways, hasDevice }: Recipient,
  { created, alerts }: Pick<Upserted, 'created' | 'alerts'>,
): Work[] {
  const work: Work[] = []
  if (alerts && ways.push && hasDevice) work.push({ name: 'notification.push', data: { notificationId: id } })
  if (ways.mail && (created || (alerts && !ways.inApp)))
    work.push({ name: 'notification.mail', data: { notificationId: id } })
  return work
}

export function createNotifier(jobs: Pick<Jobs, 'enqueue' | 'enqueueMany'>, clock: () => number): Notifier {
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
  async function publishUnreadCount(tx: Db, after: After, userIds: readonly string[]): Promise<void> {
    for (const [id, unread] of await countUnreadOf(tx, userIds))
      after.say({ channel: personChannel(id), event: 'notifications.changed', data: { unread } })
  }
  const publishListChange = (after: After, userId: string) =>
    after.say({ channel: personChannel(userId), event: 'lines.changed', data: {} })
  return {
    publishUnreadCount,
    async notify(tx, after, it) {
      const fields = notificationOf(it)
      if (fields.idolId === it.to) return
      const recipient = await findRecipient(tx, it.to, fields.idolId, fields.settingCd)
      if (!recipient || !isWanted(recipient)) return
      const upserted = await upsertNotification(tx, newNotification({ recipient, fields }), clock())
      await enqueue(tx, after, workFor(upserted.id, recipient, upserted))
      if (!recipient.ways.inApp) return
      if (upserted.appeared) await publishUnreadCount(tx, after, [recipient.id])
      // The unread count is the same as before: it is not read again.
      else publishListChange(after, recipient.id)
    },
    async retract(tx, after, it) {
      const { idolId, groupKey } = notificationOf(it)
      if (idolId === null || idolId === it.to) return
      const isEmpty = await removeActor(tx, { userId: it.to, groupKey, actorId: idolId })
      if (!isEmpty) return
      publishListChange(after, it.to)
      await publishUnreadCount(tx, after, [it.to])
    },
    async removeComment(tx, after, postId, commentId) {
      await publishUnreadCount(tx, after, await removeCommentNotifications(tx, postId, commentId))
    },
    async broadcast(tx, after, kind, subjectId) {
      if (!(await beginFanOut(tx, kind, subjectId, clock()))) return
      const name = kind === 'post' ? 'post.fan-out' : 'notice.fan-out'
      await jobs.enqueue(tx, name, { subjectId, stretch: 0 })
      after.wake(name)
    },
    async notifyMany(tx, after, all) {
      const wanted = all.filter((it) => isWanted(it.recipient))
      const added = await addNotifications(tx, wanted.map(newNotification), clock())
      const recipients = new Map(wanted.map((it) => [it.recipient.id, it.recipient]))
      const sent = added.flatMap(({ id, userId }) => {
        const recipient = recipients.get(userId)
        return recipient ? [{ id, recipient }] : []
      })
      const how = { created: true, alerts: true }
      await enqueue(
        tx,
        after,
        sent.flatMap(({ id, recipient }) => workFor(id, recipient, how)),
      )
      await publishUnreadCount(
        tx,
        after,
        sent.filter((it) => it.recipient.ways.inApp).map((it) => it.recipient.id),
      )
    },
  }
}
