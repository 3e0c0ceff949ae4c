// DeskLinks: links to the parts of the administration that a role may use.
import { Link } from '@tanstack/react-router'
import { type Area, mayUse } from '#contract/administration/areas.ts'
import type { Role } from '#contract/administration/role-names.ts'
import { settlementsText } from './adjustments/settlements-text.ts'
import { adjustmentsText } from './adjustments/text.ts'
import { noticesText } from './notices/text.ts'
import { payoutsText } from './payouts/payouts-text.ts'
import { sellersText } from './sellers-text.ts'
import { staffText } from './staff/text.ts'
import { tasksText } from './tasks-text.ts'
import { administrationText as words } from './text.ts'

/** Parts with a page of their own. */
const pages = [{ to: '/admin/notice', area: 'notices', label: noticesText.title }] as const

const parts = [
  { show: 'tasks', area: 'money', label: tasksText.title },
  { show: 'payouts', area: 'money', label: payoutsText.title },
  { show: 'adjustments', area: 'money', label: adjustmentsText.title },
  { show: 'settlements', area: 'money', label: settlementsText.title },
  { show: 'sellers', area: 'people', label: sellersText.title },
  { show: 'names', area: 'people', label: words.names },
  { show: 'staff', area: 'staff', label: staffText.title },
] as const satisfies readonly { show: string; area: Area; label: string }[]

export type Part = (typeof parts)[number]['show']

/** The part of an address, if the role may use it. */
export const partFor = (role: Role, show: Part | undefined): Part | undefined =>
  parts.find((it) => it.show === show && mayUse(role, it.area))?.show

export function DeskLinks({ role }: { role: Role }) {
  return (
    <ul className="flex flex-col items-start px-4 pt-8">
      {parts
        .filter(({ area }) => mayUse(role, area))
        .map(({ show, label }) => (
          <li key={show}>
            <Link
              to="/administration"
              search={{ show }}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {label}
            </Link>
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
