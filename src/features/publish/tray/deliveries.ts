// Hooks for this person's deliveries, and for their ends.
import { useEffect, useEffectEvent, useMemo } from 'react'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { onChange } from '#device/database/changes.ts'
import { claimFailure, claimReceipt, listJobs, unshownReceipts } from '#device/jobs/jobs.ts'
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

/** Passes this person's deliveries to `show` at every change, at most every 500 ms. @returns stops */
export function watchDeliveries(ownerId: string, show: (deliveries: DeliveryView[]) => void): () => void {
  const meters = new Map<string, SpeedMeter>()
  const rows = new Map<string, Media[]>()
  let timer: { due: number; id: ReturnType<typeof setTimeout> } | undefined
  let isStopped = false

  async function readNow(): Promise<void> {
    timer = undefined
    const jobs = await listJobs(ownerId)
    const now = Date.now()
    const views: DeliveryView[] = []
    for (const job of jobs) {
      const media = rows.get(job.id) ?? (await listMedia(job.id))
      // Complete rows do not change; rows that are being copied are read again.
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
    if (isStopped) return
    show(views)
    // Waits and speeds change without a change on the device.
    if (views.length > 0) schedule(2000)
  }
  const schedule = (ms: number) => {
    const due = Date.now() + ms
    if (timer && timer.due <= due) return
    clearTimeout(timer?.id)
    timer = { due, id: setTimeout(() => void readNow().catch((error: unknown) => console.error(error)), ms) }
  }
  const unsubscribe = onChange(
    (change) => (change.store === 'jobs' || change.store === 'media') && schedule(PROGRESS_EVERY),
  )
  const stopNetwork = onNetwork(() => schedule(0))
  void readNow().catch((error: unknown) => console.error(error))
  return () => {
    isStopped = true
    clearTimeout(timer?.id)
    unsubscribe()
    stopNetwork()
  }
}

/** Posts of deliveries that ended while this page was open, by the delivery's id. */
export const postIds = new Map<string, string>()

/**
 * Calls back once per released post and once per failure, over all tabs and starts. Ends while the app was closed are reported at
 * the next start.
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
    /** Failures that a full device could not record as told. */
    const unrecorded = new Set<string>()
    const claim = async (jobId: string): Promise<boolean> => {
      try {
        return await claimFailure(jobId)
      } catch (error) {
        console.warn('a told failure was not recorded', error)
        const isFirst = !unrecorded.has(jobId)
        unrecorded.add(jobId)
        return isFirst
      }
    }
    const look = async () => {
      for (const receipt of await unshownReceipts(ownerId)) {
        if (!(await claimReceipt(receipt.id))) continue
        postIds.set(receipt.id, receipt.postId)
        released(receipt)
      }
      for (const job of await listJobs(ownerId)) {
        const { stage } = job
        if (stage.is !== 'failed' || stage.told) continue
        if (await claim(job.id)) failedFor(job.id, stage.code, job.kind)
      }
    }
    const start = () => void look().catch((error: unknown) => console.error(error))
    start()
    return onChange((change) => {
      if (change.store === 'receipts' || change.store === 'jobs') start()
    })
  }, [ownerId])
}
