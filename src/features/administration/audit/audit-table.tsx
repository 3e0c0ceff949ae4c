// AuditTable: audit entries as a table; on phones each row is a block.
import { Link } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import type { AuditEntryView } from '#contract/administration/audit.ts'
import { type AuditAct, type AuditSubject, NO_ID } from '#contract/administration/audit-names.ts'
import { dateTime } from '#src/lib/format.ts'
import { recordOf } from './audit.ts'
import { detailOf } from './detail.ts'
import { auditText as words } from './page-text.ts'
import { actNames, subjectNames } from './text.ts'

const columns = ['at', 'actor', 'act', 'subject', 'detail', 'ip'] as const
const cell = 'block py-0.5 align-top rail:table-cell rail:px-2 rail:py-3 rail:first:pl-4'
const linked = 'underline underline-offset-4'

interface AuditTableProps {
  entries: readonly AuditEntryView[]
  ref?: Ref<HTMLTableElement>
}

export function AuditTable({ entries, ref }: AuditTableProps) {
  return (
    <table ref={ref} className="block w-full text-sm rail:table">
      <caption className="sr-only">{words.title}</caption>
      <thead className="sr-only rail:not-sr-only rail:table-header-group">
        <tr className="border-b border-line text-soft">
          {columns.map((it) => (
            <th key={it} scope="col" className="px-2 py-2 text-left font-normal first:pl-4">
              {words.columns[it]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block rail:table-row-group">
        {entries.map((it) => (
          <Row key={it.id} entry={it} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ entry }: { entry: AuditEntryView }) {
  const { at, act, ip, actor, actor_id: actorId } = entry
  return (
    <tr
      data-row
      tabIndex={-1}
      className="block border-b border-line px-4 py-3 -outline-offset-2 focus:bg-sunk rail:table-row"
    >
      <td className={`${cell} tabular-nums rail:whitespace-nowrap`}>{dateTime(Date.parse(at))}</td>
      <td className={cell}>
        {actor ? (
          <Link to="/administration" search={{ show: 'people', person: actorId }} className={linked}>
            {actor.name}
          </Link>
        ) : (
          <span className="text-soft">{actorId === NO_ID ? words.server : words.gone}</span>
        )}
      </td>
      <td className={`${cell} font-semibold`}>{actNames[act as AuditAct] ?? act}</td>
      <td className={cell}>
        <Subject entry={entry} />
      </td>
      <td className={cell}>
        <dl>
          {detailOf(entry.detail).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-soft">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </td>
      <td className={`${cell} break-all text-soft tabular-nums`}>
        <span className="rail:hidden">{words.columns.ip}：</span>
        {ip || words.noIp}
      </td>
    </tr>
  )
}

function Subject({ entry }: { entry: AuditEntryView }): ReactNode {
  const { subject_kind: kind, subject } = entry
  const name = subject?.name ?? subjectNames[kind as AuditSubject] ?? kind
  const record = recordOf(entry)
  if (!record) return <span className="text-soft">{name}</span>
  return (
    <Link to="/administration" search={record} data-open className={linked}>
      {name}
    </Link>
  )
}
