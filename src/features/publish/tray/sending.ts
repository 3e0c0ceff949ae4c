// A person's own posts on their way, until the feed itself has them.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { findReceipt } from '#device/jobs/jobs.ts'
import { arrived, useDeliveries } from './deliveries.ts'
import type { DeliveryView } from './delivery.ts'

/** A feed that cannot be read does not keep a card that says "sending" for longer than this, ms. */
const AT_MOST = 20_000

/** Neither failed nor cancelled. */
const onItsWay = ({ kind, status }: DeliveryView) =>
  kind === 'post' && status.is !== 'failed' && status.is !== 'cancelling'

/**
 * The cards above the feed: unpublished posts, newest first. A released one stays until `shown`, the ids of the posts
 * in the feed, has it: the post then replaces it without a gap.
 */
export function useSending(ownerId: string | undefined, shown: ReadonlySet<string>): DeliveryView[] {
  const all = useDeliveries(ownerId)
  const now = useMemo(() => all.filter(onItsWay), [all])
  const [left, setLeft] = useState<readonly DeliveryView[]>([])
  const before = useRef<readonly DeliveryView[]>([])
  useLayoutEffect(() => {
    const ids = new Set(all.map((it) => it.id))
    const over = before.current.filter((it) => !ids.has(it.id))
    before.current = now
    if (over.length > 0) setLeft((old) => [...old, ...over])
  }, [all, now])
  useEffect(() => {
    const unknown = left.filter((it) => it.status.is !== 'finishing' || it.postId === null)
    for (const it of unknown) {
      void findReceipt(it.id).then((receipt) =>
        setLeft((old) =>
          old.flatMap((one) => {
            if (one.id !== it.id) return [one]
            return receipt
              ? [{ ...one, postId: receipt.postId, status: { is: 'finishing' }, percent: 100 }]
              : []
          }),
        ),
      )
    }
    if (left.length === 0) return undefined
    const timer = setTimeout(() => setLeft([]), AT_MOST)
    return () => clearTimeout(timer)
  }, [left])
  // Once it has arrived, the feed may have it before the device has said that nothing is on its way any more.
  return [...left, ...now.toReversed()].filter((it) => {
    const postId = it.postId ?? arrived.get(it.id)
    return postId === undefined || !shown.has(postId)
  })
}
