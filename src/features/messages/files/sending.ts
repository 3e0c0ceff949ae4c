// Messages with files that are being sent, as their conversation shows them.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { PROGRESS_CAP } from '#contract/limits.ts'
import type { Media } from '#device/database/schema.ts'
import { findUnheld } from '#device/files/page-held.ts'
import { ackedOf, remainingFiles } from '#device/jobs/file-row.ts'
import { type Between, listSendingMessages, type SendingMessage } from '#device/jobs/message.ts'
import { type BytesLocation, type DeliveryStatus, statusOf } from '#src/domain/media/delivery-status.ts'
import { catchUp } from '#src/domain/messages/catch-up.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { isOnline, onNetwork } from '#src/lib/online.ts'
import { canCancel } from '#src/sw-bridge.ts'
import { useReadPreviews } from './previews.ts'

export interface OutgoingFiles {
  /** The message's id. */
  readonly id: string
  readonly content: string
  /** In the order of the message. */
  readonly files: readonly Pick<Media, 'id' | 'kind'>[]
  readonly status: DeliveryStatus
  /** 0..99 until the server has the message. */
  readonly percent: number
  readonly sentBytes: number
  readonly bytes: number
  readonly canCancel: boolean
  /** Whether this page has to stay open, since the device has no room for a file. */
  readonly isHeldByPage: boolean
}

interface Surroundings {
  readonly now: number
  readonly online: boolean
  /** Ids of media whose page is closed. */
  readonly away: ReadonlySet<string>
}

/** A job as its conversation shows it. Pure. */
export function outgoingOf(
  { job, media }: SendingMessage,
  { now, online, away }: Surroundings,
): OutgoingFiles {
  const files = job.stage.is === 'cancelled' ? job.files : remainingFiles(job.files)
  const rows = files.map((it) => media.find((row) => row.id === it.id))
  const unsent = rows.filter((_, i) => files[i]?.state.is !== 'sent')
  const isAway = unsent.some((it) => it !== undefined && away.has(it.id))
  const isHeld = unsent.some((it) => it?.bytes.is === 'picked')
  const bytesAt: BytesLocation = isAway ? 'lost' : isHeld ? 'page' : 'device'
  const bytes = files.reduce((sum, it) => sum + it.size, 0)
  const sentBytes = files.reduce((sum, it) => sum + ackedOf(it), 0)
  return {
    id: job.id,
    content: job.form.content,
    files: files.map((it, i) => ({ id: it.id, kind: rows[i]?.kind ?? 'image' })),
    status: statusOf(job, now, { bytesAt, online }),
    percent: Math.min(PROGRESS_CAP, Math.floor((sentBytes / Math.max(1, bytes)) * 100)),
    sentBytes,
    bytes,
    canCancel: canCancel(job),
    isHeldByPage: bytesAt === 'page',
  }
}

interface Shown {
  readonly messages: readonly OutgoingFiles[]
  readonly media: readonly Media[]
}

const nothing: Shown = { messages: [], media: [] }

async function read(between: Between): Promise<Shown> {
  const found = await listSendingMessages(between)
  const media = found.flatMap((it) => it.media)
  const here = { now: Date.now(), online: isOnline(), away: await findUnheld(media) }
  return { messages: found.map((it) => outgoingOf(it, here)), media }
}

/** This conversation's messages with files that are not delivered, oldest first. */
export function useOutgoingFiles(between: Between): readonly OutgoingFiles[] {
  const { messages, media } =
    useDeviceRead({
      key: ['outgoingFiles', between.ownerId, between.recipientId],
      read: () => read(between),
      isAbout: ({ store }) => store === 'jobs' || store === 'media',
      alsoOn: onNetwork,
    }) ?? nothing
  useReadPreviews(media)
  useDelivered(messages, between.recipientId)
  return messages
}

/** Reads what has changed when a message was delivered: the reply may have reached only another page. */
function useDelivered(messages: readonly OutgoingFiles[], userId: string): void {
  const client = useQueryClient()
  const before = useRef(messages)
  const look = useEffectEvent((now: readonly OutgoingFiles[]) => {
    const ended = before.current.filter((it) => now.every((other) => other.id !== it.id))
    before.current = now
    if (ended.some(({ status }) => status.is !== 'cancelling' && status.is !== 'failed'))
      void catchUp(client, userId).catch((error: unknown) => console.warn('messages were not read', error))
  })
  useEffect(() => look(messages), [messages])
}
