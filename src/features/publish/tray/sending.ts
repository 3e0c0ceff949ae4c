// The person's posts that are being sent, until the feed contains them.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { findReceipt } from '#device/jobs/jobs.ts'
import { postIds, useDeliveries } from './deliveries.ts'
import type { DeliveryView } from './delivery.ts'

/** Longest display of the card of a released post, ms, if the feed cannot be read. */
const MAX_DISPLAY_MS = 20_000

/** Neither failed nor cancelled. */
const isBeingSent = ({ kind, status }: DeliveryView) =>
  kind === 'post' && status.is !== 'failed' && status.is !== 'cancelling'

/**
 * The cards above the feed: unpublished posts, newest first. A released one stays until `shown`, the ids in the feed,
 * contains it, so that the post replaces it without a gap.
 */
export function useSending(ownerId: string | undefined, shown: ReadonlySet<string>): DeliveryView[] {
  const all = useDeliveries(ownerId)
  const now = useMemo(() => all.filter(isBeingSent), [all])
  const [ended, setEnded] = useState<readonly DeliveryView[]>([])
  const before = useRef<readonly DeliveryView[]>([])
  useLayoutEffect(() => {
    const ids = new Set(all.map((it) => it.id))
    const over = before.current.filter((it) => !ids.has(it.id))
    before.current = now
    if (over.length > 0) setEnded((old) => [...old, ...over])
  }, [all, now])
  useEffect(() => {
    const unknown = ended.filter((it) => it.status.is !== 'finishing' || it.postId === null)
    for (const it of unknown) {
      void findReceipt(it.id).then((receipt) =>
        setEnded((old) =>
          old.flatMap((one) => {
            if (one.id !== it.id) return [one]
            return receipt
              ? [{ ...one, postId: receipt.postId, status: { is: 'finishing' }, percent: 100 }]
              : []
          }),
        ),
      )
    }
    if (ended.length === 0) return undefined
    const timer = setTimeout(() => setEnded([]), MAX_DISPLAY_MS)
    return () => clearTimeout(timer)
  }, [ended])
  // The feed may contain the post before the device reports the end of its delivery.
  return [...ended, ...now.toReversed()].filter((it) => {
    const postId = it.postId ?? postIds.get(it.id)
    return postId === undefined || !shown.has(postId)
  })
}
