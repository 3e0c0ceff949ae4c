// DeskLinks: links to the parts of the administration that a role may use.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Area, mayUse } from '#contract/administration/areas.ts'
import type { Role } from '#contract/administration/role-names.ts'
import { WAITING_CAP } from '#contract/administration/staff.ts'
import { relative } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { auditText } from './audit/page-text.ts'
import { settlementsText } from './adjustments/settlements-text.ts'
import { documentsText } from './documents/text.ts'
import { settingsText } from './runtime/text.ts'
import { adjustmentsText } from './adjustments/text.ts'
import { machineText } from './machine/text.ts'
import { peopleText } from './people/text.ts'
import { inquiriesText } from './inquiries/text.ts'
import { noticesText } from './notices/text.ts'
import { balancesText } from './payouts/balances-text.ts'
import { payoutsText } from './payouts/payouts-text.ts'
import { casesText } from './reports/text.ts'
import { sellersText } from './sellers-text.ts'
import { deskQuery } from './staff/staff.ts'
import { staffText } from './staff/text.ts'
import { tasksText } from './tasks/text.ts'
import { administrationText as words } from './text.ts'
import { wordsText } from './words/text.ts'

/** Parts with a page of their own. */
const pages = [{ to: '/admin/notice', area: 'notices', label: noticesText.title }] as const

const parts = [
  { show: 'tasks', area: 'money', label: tasksText.title },
  { show: 'payouts', area: 'money', label: payoutsText.title },
  { show: 'balances', area: 'money', label: balancesText.title },
  { show: 'adjustments', area: 'money', label: adjustmentsText.title },
  { show: 'documents', area: 'money', label: documentsText.title },
  { show: 'settlements', area: 'money', label: settlementsText.title },
  { show: 'requests', area: 'reports', label: inquiriesText.title },
  { show: 'sellers', area: 'people', label: sellersText.title },
  { show: 'words', area: 'reports', label: wordsText.title },
  { show: 'names', area: 'people', label: words.names },
  { show: 'people', area: 'person', label: peopleText.title },
  { show: 'staff', area: 'staff', label: staffText.title },
  { show: 'audit', area: 'audit', label: auditText.title },
  { show: 'machine', area: 'machine', label: machineText.title },
  { show: 'settings', area: 'machine', label: settingsText.title },
] as const satisfies readonly { show: string; area: Area; label: string }[]

export type Part = (typeof parts)[number]['show']

/** The part of an address, if the role may use it. */
export const partFor = (role: Role, show: string | undefined): Part | undefined =>
  parts.find((it) => it.show === show && mayUse(role, it.area))?.show

const rowClass = 'flex min-h-11 flex-wrap items-center gap-x-3'
const linkClass = 'inline-flex min-h-11 items-center underline underline-offset-4'

/** How many wait behind a link, and since when; nothing for a link without waiting work. */
function Count({ of }: { of: string }) {
  const { data, dataUpdatedAt: now } = useQuery(deskQuery)
  const waiting = data?.waiting.find((it) => it.kind === of)
  if (!waiting || waiting.count === 0) return null
  const count = waiting.count < WAITING_CAP ? String(waiting.count) : `${WAITING_CAP}+`
  return (
    <span className="inline-flex items-center gap-2">
      <Badge look="care">{words.waiting(count)}</Badge>
      {waiting.since !== null && (
        <span className="text-sm text-soft tabular-nums">
          {words.waitingSince(relative(Date.parse(waiting.since), now))}
        </span>
      )}
    </span>
  )
}

export function DeskLinks({ role }: { role: Role }) {
  return (
    <ul className="flex flex-col items-start px-4 pt-8">
      {mayUse(role, 'reports') && (
        <li className={rowClass}>
          <Link to="/admin/report" className={linkClass}>
            {casesText.title}
          </Link>
          <Count of="reports" />
        </li>
      )}
      {mayUse(role, 'reports') && (
        <li className={rowClass}>
          <Link to="/admin/report" search={{ state: 'appealed' }} className={linkClass}>
            {casesText.appeal}
          </Link>
          <Count of="appeals" />
        </li>
      )}
      {mayUse(role, 'authority') && (
        <li className={rowClass}>
          <Link to="/administration" search={{ show: 'requests', kind: 'disclosure' }} className={linkClass}>
            {inquiriesText.disclosures}
          </Link>
          <Count of="disclosures" />
        </li>
      )}
      {parts
        .filter(({ area }) => mayUse(role, area))
        .map(({ show, label }) => (
          <li key={show} className={rowClass}>
            <Link to="/administration" search={{ show }} className={linkClass}>
              {label}
            </Link>
            <Count of={show} />
          </li>
        ))}
      {pages
        .filter(({ area }) => mayUse(role, area))
        .map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="inline-flex min-h-11 items-center underline underline-offset-4">
              {label}
            </Link>
          </li>
        ))}
    </ul>
  )
}

/** The beginning of the administration for people without identity checks. */
export function Desk({ role }: { role: Role }) {
  return (
    <section aria-label={words.title} className="pb-16">
      <DeskLinks role={role} />
    </section>
  )
}
