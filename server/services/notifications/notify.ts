// Writes notifications of an event, and enqueues their pushes and emails, in the event's transaction.
import { personChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import {
  type NotificationEvent,
  type NotificationFields,
  notificationOf,
} from '#server/rules/notification-events.ts'
import { beginFanOut } from '#server/store/notifications/fan-outs.ts'
import type { JobData, JobName } from '#server/store/jobs.ts'
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

/** The notifying function of a unit of work. */
export interface NotifyingUnit {
  /** Notifies the person `event.to` (see `notify`). */
  readonly notify: (event: NotificationEvent) => Promise<void>
}

type Unit = Pick<UnitOfWork, 'tx' | 'enqueue' | 'enqueueMany' | 'publish'>

export interface AddressedNotification {
  readonly recipient: Recipient
  readonly fields: NotificationFields
}

type WorkOf<N extends JobName> = { readonly name: N; readonly data: JobData[N] }
type Work = WorkOf<'notification.push'> | WorkOf<'notification.mail'>

/** Whether any channel is on; without one no row is written. */
const isWanted = ({ channels, hasDevice }: Recipient) =>
  channels.inApp || (channels.push && hasDevice) || channels.mail

const newNotification = ({ recipient, fields }: AddressedNotification): NewNotification => ({
  ...fields,
  id: newId(),
  userId: recipient.id,
  inApp: recipient.channels.inApp,
})

/** Jobs for a notification's push and email. An email is sent once for each notification that the list shows. */
function workFor(
  id: string,
  { channels, hasDevice }: Recipient,
  { created, alerts }: Pick<Upserted, 'created' | 'alerts'>,
): Work[] {
  const work: Work[] = []
  if (alerts && channels.push && hasDevice)
    work.push({ name: 'notification.push', data: { notificationId: id } })
  if (channels.mail && (created || (alerts && !channels.inApp)))
    work.push({ name: 'notification.mail', data: { notificationId: id } })
  return work
}

async function enqueueAll({ enqueueMany }: Unit, work: readonly Work[]): Promise<void> {
  for (const [name, some] of Map.groupBy(work, (it) => it.name))
    await enqueueMany(
      name,
      some.map((it) => it.data),
    )
}

const publishListChange = ({ publish }: Unit, userId: string) =>
  publish({ channel: personChannel(userId), event: 'lines.changed', data: {} })

/** Publishes to each person's open apps how many notifications are unread, counted after the commit. */
export function publishUnreadCount(
  { publish }: Pick<UnitOfWork, 'publish'>,
  userIds: readonly string[],
): void {
  if (userIds.length > 0)
    publish(async (db) =>
      Array.from(await countUnreadOf(db, userIds), ([id, data]) => ({
        channel: personChannel(id),
        event: 'notifications.changed',
        data,
      })),
    )
}

/**
 * Notifies the person `event.to`, except of their own actions, of blocked or muted people, and of kinds turned off.
 * @param now ms since 1970
 */
export async function notify(unit: Unit, event: NotificationEvent, now: number): Promise<void> {
  const fields = notificationOf(event)
  if (fields.idolId === event.to) return
  const recipient = await findRecipient(unit.tx, event.to, fields.idolId, fields.settingCd)
  if (!recipient || !isWanted(recipient)) return
  const upserted = await upsertNotification(unit.tx, newNotification({ recipient, fields }), now)
  await enqueueAll(unit, workFor(upserted.id, recipient, upserted))
  if (!recipient.channels.inApp) return
  if (upserted.appeared) publishUnreadCount(unit, [recipient.id])
  // The unread count did not change.
  else publishListChange(unit, recipient.id)
}

/** Removes the actor of an undone event (such as a removed like) from its notification. */
export async function retractNotification(unit: Unit, event: NotificationEvent): Promise<void> {
  const { idolId, groupKey } = notificationOf(event)
  if (idolId === null || idolId === event.to) return
  const isEmpty = await removeActor(unit.tx, { userId: event.to, groupKey, actorId: idolId })
  if (!isEmpty) return
  publishListChange(unit, event.to)
  publishUnreadCount(unit, [event.to])
}

/** Deletes the notifications about a deleted comment. */
export async function retractCommentNotifications(
  unit: Unit,
  postId: string,
  commentId: string,
): Promise<void> {
  publishUnreadCount(unit, await removeCommentNotifications(unit.tx, postId, commentId))
}

/**
 * Starts to notify many people of one post or notice, once; a job does so batch by batch.
 * @param now ms since 1970
 */
export async function broadcast(
  { tx, enqueue }: Unit,
  kind: 'post' | 'notice',
  subjectId: string,
  now: number,
): Promise<void> {
  if (!(await beginFanOut(tx, kind, subjectId, now))) return
  await enqueue(kind === 'post' ? 'post.fan-out' : 'notice.fan-out', { subjectId, stretch: 0 })
}

/**
 * Notifies one batch of a broadcast.
 * @param now ms since 1970
 * @returns the notifications that were added, with their people
 */
export async function notifyMany(
  unit: Unit,
  all: readonly AddressedNotification[],
  now: number,
): Promise<{ id: string; userId: string }[]> {
  const wanted = all.filter((it) => isWanted(it.recipient))
  const added = await addNotifications(unit.tx, wanted.map(newNotification), now)
  const recipients = new Map(wanted.map((it) => [it.recipient.id, it.recipient]))
  const sent = added.flatMap(({ id, userId }) => {
    const recipient = recipients.get(userId)
    return recipient ? [{ id, recipient }] : []
  })
  const asNew = { created: true, alerts: true }
  await enqueueAll(
    unit,
    sent.flatMap(({ id, recipient }) => workFor(id, recipient, asNew)),
  )
  publishUnreadCount(
    unit,
    sent.filter((it) => it.recipient.channels.inApp).map((it) => it.recipient.id),
  )
  return added
}
