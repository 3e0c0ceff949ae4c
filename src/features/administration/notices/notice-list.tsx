// NoticeList: the notices of the operator as a table, for staff.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Keyboard, Plus } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { NoticeRowView } from '#contract/notices/admin-notices.ts'
import { type NoticeList as List, noticeLists } from '#contract/notices/notice-states.ts'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { dateTime } from '#src/lib/format.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { Badge } from '#src/ui/badge.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { listQuery } from './notices.ts'
import { StateMark } from './state-mark.tsx'
import { noticesText as words } from './text.ts'
import { useListKeys } from './use-list-keys.ts'

interface NoticeListProps {
  onAdd: () => void
  failed: Failed
}

/** Which notices are listed; it stays while a notice is open. An address would need a schema in the first download. */
const shownList = createStore<List>('all')

export function NoticeList({ onAdd, failed }: NoticeListProps) {
  const shown = useStore(shownList)
  const [helps, setHelps] = useState(false)
  const place = useRef<HTMLElement>(null)
  const links = useCallback(() => [...(place.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])], [])
  const actions = useMemo(() => ({ n: onAdd, '?': () => setHelps(true) }), [onAdd])
  useListKeys({ links, actions })
  return (
    <section ref={place} data-wide-page aria-labelledby="notices" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="notices" className="sr-only">
        {words.title}
      </h2>
      <div className="flex flex-wrap items-center gap-3 px-4 py-3">
        <Select
          aria-label={words.list}
          className="w-40"
          value={shown}
          options={noticeLists.map((value) => ({ value, label: words.lists[value] }))}
          onChange={({ target }) => shownList.set(noticeLists.find((it) => it === target.value) ?? shown)}
        />
        <span className="flex-1" />
        <IconButton
          label={words.keysHint}
          icon={<Keyboard size={20} />}
          className="max-rail:hidden"
          onClick={() => setHelps(true)}
        />
        <Link to="/admin/notice/add" className={buttonClass('ink', 'small')}>
          <Plus aria-hidden size={18} className="mr-1" />
          {words.add}
        </Link>
      </div>
      <Notices list={shown} failed={failed} />
      <KeysSheet keys={words.keyList} open={helps} onClose={() => setHelps(false)} />
    </section>
  )
}

function Notices({ list, failed }: { list: List; failed: Failed }) {
  const pages = useInfiniteQuery(listQuery(list))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const notices = pages.data.pages.flatMap((page) => page.notices)
  if (notices.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  const { title, audience, state, at, got, read } = words.columns
  return (
    <>
      <table className="w-full border-t border-line text-sm">
        <caption className="sr-only">{words.title}</caption>
        <thead className="max-rail:sr-only">
          <tr className="border-b border-line text-left text-soft">
            {[title, audience, state, at, got, read].map((it) => (
              <th key={it} scope="col" className="px-2 py-2 font-normal first:pl-4 last:pr-4">
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notices.map((it) => (
            <Row key={it.id} notice={it} />
          ))}
        </tbody>
      </table>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

const cell = 'px-2 py-3 align-top tabular-nums max-rail:hidden last:pr-4'

function Row({ notice }: { notice: NoticeRowView }) {
  const { total, reached, delivered, readers } = notice
  const at = notice.published_at === null ? words.noTime : dateTime(Date.parse(notice.published_at))
  const got =
    total === null
      ? ''
      : notice.state === 'published'
        ? words.people(delivered)
        : words.progress(reached, total)
  const read = total === null ? '' : words.share(readers, delivered)
  return (
    <tr className="border-b border-line focus-within:bg-sunk hover:bg-sunk">
      <th scope="row" className="px-2 py-1 pl-4 text-left align-top font-normal">
        <Link
          data-row
          to="/admin/notice/edit/$id"
          params={{ id: notice.id }}
          className="flex min-h-11 items-center text-base font-semibold break-words underline-offset-4 hover:underline"
        >
          {notice.title}
        </Link>
        <Marks notice={notice} />
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2 text-soft tabular-nums rail:hidden">
          <StateMark state={notice.state} />
          <span>{words.audiences[notice.audience]}</span>
          <span>{at}</span>
          {got !== '' && (
            <span>
              {words.columns.got} {got}
            </span>
          )}
          {read !== '' && (
            <span>
              {words.columns.read} {read}
            </span>
          )}
        </p>
      </th>
      <td className={cell}>{words.audiences[notice.audience]}</td>
      <td className={cell}>
        <StateMark state={notice.state} />
      </td>
      <td className={cell}>{at}</td>
      <td className={cell}>{got}</td>
      <td className={cell}>{read}</td>
    </tr>
  )
}

function Marks({ notice }: { notice: NoticeRowView }) {
  const { is_urgent: urgent, is_advertising: advertising, edited_at: editedAt } = notice
  if (!urgent && !advertising && editedAt === null) return null
  return (
    <span className="flex flex-wrap gap-1.5 pb-2">
      {urgent && <Badge look="care">{words.urgent}</Badge>}
      {advertising && <Badge>{words.advertising}</Badge>}
      {editedAt !== null && <Badge>{words.edited}</Badge>}
    </span>
  )
}
