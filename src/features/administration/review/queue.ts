// The checks beside an open one, their number, and when it is read again.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { WAITING_CAP } from '#contract/administration/staff.ts'
import { type CheckDetail, type CheckView, getCheck } from '#contract/identity/admin-identity.ts'
import type { CheckList } from '#contract/identity/check-lists.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { checkQuery, checksQuery, LIST_EVERY } from '#src/features/administration/checks.ts'
import { deskQuery } from '#src/features/administration/staff/staff.ts'
import { neighbours } from './check-order.ts'

/** How many checks are undecided; undefined until it is known. */
function useOpenCount(): number | undefined {
  return useQuery(deskQuery).data?.waiting.find((it) => it.kind === 'identity')?.count
}

/** The number of undecided checks, as it is shown; undefined until it is known. */
export function useOpenCountText(): string | undefined {
  const count = useOpenCount()
  if (count === undefined) return undefined
  return count < WAITING_CAP ? String(count) : `${WAITING_CAP}+`
}

/** The list from which a check was opened, and what is before and after it. */
export function useQueue(id: string, check: CheckDetail | undefined, list: CheckList) {
  const { data, dataUpdatedAt: readAt } = useInfiniteQuery({
    ...checksQuery(list),
    // Each reading is in the audit log: opening a check from its list is none of the list.
    staleTime: LIST_EVERY,
  })
  const checks = data?.pages.flatMap((page) => page.checks)
  useReread(check, { list, checks, readAt })
  // The row of the list is there before the check is read: keys that are pressed fast go on.
  const place = check ?? checks?.find((it) => it.id === id)
  return place && checks ? neighbours(checks, place, list) : { previous: undefined, next: undefined }
}

interface ReadList {
  readonly list: CheckList
  /** Undefined until the list is read. */
  readonly checks: readonly CheckView[] | undefined
  /** When it was read, ms since 1970. */
  readonly readAt: number
}

/** Whether a list that was read after a check shows another state of it. */
function disagrees(check: CheckDetail, { list, checks = [] }: ReadList): boolean {
  const listed = checks.find((it) => it.id === check.id)
  if (listed) return listed.state !== check.state || listed.taken_until !== check.taken_until
  // The first page has the oldest ones: a check after its end may be on a later page.
  const last = checks.at(-1)
  return list === 'waiting' && check.takeable && last !== undefined && check.submitted_at < last.submitted_at
}

/** Reads an undecided check again when it may have changed. Each reading is in the audit log, so none is by a clock. */
function useReread(check: CheckDetail | undefined, read: ReadList): void {
  const client = useQueryClient()
  const isOpen = check !== undefined && check.decided_at === null
  const checkReadAt = check && client.getQueryState(checkQuery(check.id).queryKey)?.dataUpdatedAt
  const isOld = isOpen && read.readAt > (checkReadAt ?? Infinity) && disagrees(check, read)
  useEffect(() => {
    if (isOld) void client.invalidateQueries(queriesOf(getCheck))
  }, [client, isOld])

  const count = useOpenCount()
  const before = useRef(count)
  useEffect(() => {
    const fewer = count !== undefined && before.current !== undefined && count < before.current
    before.current = count
    if (fewer && isOpen) void client.invalidateQueries(queriesOf(getCheck))
  }, [client, count, isOpen])

  const until = check?.taken_until ?? null
  useEffect(() => {
    if (until === null) return
    const reread = () => void client.invalidateQueries(queriesOf(getCheck))
    const timer = setTimeout(reread, Math.max(0, Date.parse(until) - Date.now()) + 500)
    return () => clearTimeout(timer)
  }, [client, until])
}
