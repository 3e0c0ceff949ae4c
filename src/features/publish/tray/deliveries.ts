// This person's jobs and receipts, as hooks: read from the device at every change, at most every 500 ms.
import { useEffect, useEffectEvent, useMemo } from 'react'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { onChange } from '#device/database/changes.ts'
import { claimReceipt, listJobs, unshownReceipts } from '#device/jobs/jobs.ts'
import { listMedia } from '#device/files/media.ts'
import { findUnheld } from '#device/files/page-held.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { ackedOf } from '#device/jobs/file-row.ts'
import type { JobKind } from '#device/jobs/job-rows.ts'
import type { Media, Receipt } from '#device/database/schema.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { isOnline, onNetwork } from '#src/lib/online.ts'
import { canCancel } from '#src/sw-bridge.ts'
import { SpeedMeter, viewOf, type DeliveryView } from './delivery.ts'

const nothing: DeliveryView[] = []
const none = createStore(nothing)

/** The deliveries of this person, oldest first. Empty for visitors. */
export function useDeliveries(ownerId: string | undefined): DeliveryView[] {
  return useStore(useMemo(() => (ownerId ? createDeliveries(ownerId) : none), [ownerId]))
}

const createDeliveries = (ownerId: string) => createStore(nothing, (set) => watchDeliveries(ownerId, set))

/** Shows this person's deliveries at every change on the device, at most every 500 ms, until the returned function is called. */
export function watchDeliveries(ownerId: string, show: (deliveries: DeliveryView[]) => void): () => void {
  const meters = new Map<string, SpeedMeter>()
  const rows = new Map<string, Media[]>()
  let timer: { due: number; id: ReturnType<typeof setTimeout> } | undefined
  let over = false

  async function look(): Promise<void> {
    timer = undefined
    const jobs = await listJobs(ownerId)
    const now = Date.now()
    const views: DeliveryView[] = []
    for (const job of jobs) {
      const media = rows.get(job.id) ?? (await listMedia(job.id))
      // Names and sizes stay as they are; what is still being copied is looked at again.
      if (media.every((row) => row.bytes.is !== 'copying')) rows.set(job.id, media)
      const meter = meters.get(job.id) ?? new SpeedMeter()
      meters.set(job.id, meter)
      meter.note(
        now,
        job.files.reduce((sum, it) => sum + ackedOf(it), 0),
      )
      const here = { away: await findUnheld(media), online: isOnline() }
      views.push(viewOf(job, media, meter.speed(now), now, canCancel(job), here))
    }
    if (over) return
    show(views)
    // Waits end and speeds fade without any change on the device.
    if (views.length > 0) soon(2000)
  }
  const soon = (ms: number) => {
    const due = Date.now() + ms
    if (timer && timer.due <= due) return
    clearTimeout(timer?.id)
    timer = { due, id: setTimeout(() => void look().catch((error: unknown) => console.error(error)), ms) }
  }
  const deaf = onChange(
    (change) => (change.store === 'jobs' || change.store === 'media') && soon(PROGRESS_EVERY),
  )
  const stopNetwork = onNetwork(() => soon(0))
  void look().catch((error: unknown) => console.error(error))
  return () => {
    over = true
    clearTimeout(timer?.id)
    deaf()
    stopNetwork()
  }
}

/** Posts that deliveries have become while this page was open, by the delivery's id. */
export const arrived = new Map<string, string>()

/**
 * Calls back once per released post over all tabs, and once per failure in this tab: when it happens or, if the app
 * was closed then, at the next start.
 */
export function useDeliveryEnds(
  ownerId: string | undefined,
  ends: {
    released: (receipt: Receipt) => void
    failed: (jobId: string, code: FailureCode, kind: JobKind) => void
  },
): void {
  const released = useEffectEvent(ends.released)
  const failedFor = useEffectEvent(ends.failed)
  useEffect(() => {
    if (!ownerId) return undefined
    const failed = new Set<string>()
    const look = async () => {
      for (const receipt of await unshownReceipts(ownerId)) {
        if (!(await claimReceipt(receipt.id))) continue
        arrived.set(receipt.id, receipt.postId)
        released(receipt)
      }
      for (const job of await listJobs(ownerId)) {
        const { stage } = job
        if (stage.is !== 'failed') failed.delete(job.id)
        else if (!failed.has(job.id)) {
          failed.add(job.id)
          failedFor(job.id, stage.code, job.kind)
        }
      }
    }
    const quiet = () => void look().catch((error: unknown) => console.error(error))
    quiet()
    return onChange((change) => {
      if (change.store === 'receipts' || change.store === 'jobs') quiet()
    })
  }, [ownerId])
}
