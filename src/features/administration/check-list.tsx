// CheckLists: identity checks in four lists, as tabs.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Keyboard } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import type { Role } from '#contract/administration/role-names.ts'
import type { CheckView } from '#contract/identity/admin-identity.ts'
import { type CheckList, checkLists } from '#contract/identity/check-lists.ts'
import { dateTime } from '#src/lib/format.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { administrationText as words } from './text.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { StateBadge } from './state-badge.tsx'
import { checksQuery } from './checks.ts'
import { DeskLinks } from './desk-links.tsx'
import { KeysSheet } from './keys-sheet.tsx'
import { useListKeys } from './list-keys.ts'
import { useOpenCountText } from './review/queue.ts'
import { Waiting } from './waiting.tsx'

/** What is shown where a list or a check could not be read. */
export type Failed = (error: Error, retry: () => Promise<unknown>) => ReactNode

interface CheckListsProps {
  role: Role
  shown: CheckList
  onShow: (list: CheckList) => void
  failed: Failed
}

export function CheckLists({ role, shown, onShow, failed }: CheckListsProps) {
  const rows = useRef<HTMLUListElement>(null)
  const [help, setHelp] = useState(false)
  const count = useOpenCountText()
  useListKeys({ list: rows, onHelp: () => setHelp(true) })
  return (
    <section aria-labelledby="checks" className="pb-16">
      <div className="flex flex-wrap items-center gap-3 px-4 pt-5 pb-2">
        <h2 id="checks" className="text-lg font-semibold">
          {words.checks}
        </h2>
        <output className="mr-auto">
          {count !== undefined && (
            <Badge look={count === '0' ? 'plain' : 'care'}>{words.openCount(count)}</Badge>
          )}
        </output>
        <Button look="quiet" size="small" aria-label={words.keys} onClick={() => setHelp(true)}>
          <Keyboard aria-hidden size={18} />
        </Button>
      </div>
      <Tabs<CheckList>
        label={words.checks}
        value={shown}
        onChange={onShow}
        tabs={checkLists.map((value) => ({
          value,
          label: words.lists[value],
          panel: <Checks list={value} rows={rows} failed={failed} />,
        }))}
      />
      <DeskLinks role={role} />
      <KeysSheet open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

interface ChecksProps {
  list: CheckList
  rows: RefObject<HTMLUListElement | null>
  failed: Failed
}

function Checks({ list, rows, failed }: ChecksProps) {
  const pages = useInfiniteQuery(checksQuery(list))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const checks = pages.data.pages.flatMap((page) => page.checks)
  if (checks.length === 0)
    return <EmptyState drawing="letter" title={words.none[list]} text={words.noneText} />
  return (
    <>
      <ul ref={rows}>
        {checks.map((check) => (
          <Row key={check.id} check={check} list={list} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

function Row({ check, list }: { check: CheckView; list: CheckList }) {
  return (
    <li data-row tabIndex={-1} className="border-b border-line focus-visible:-outline-offset-2">
      <Link
        data-open
        to="/administration"
        search={{ list, check: check.id }}
        className="flex min-h-16 items-center gap-3 px-4 py-3 hover:bg-sunk"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{check.person.name}</span>
          <span className="block text-sm text-soft tabular-nums">
            {identityText.documents[check.document_kind]}・{dateTime(Date.parse(check.submitted_at))}
          </span>
          {check.reviewer && (check.taken_until !== null || check.decided_at !== null) && (
            <span className="block truncate text-sm text-soft tabular-nums">
              {words.reviewer}：{check.reviewer.name}
              {check.taken_until !== null && words.until(dateTime(Date.parse(check.taken_until)))}
            </span>
          )}
        </span>
        <StateBadge check={check} />
      </Link>
    </li>
  )
}
