// Members: how many members the creator's plans gained and lost in a month.
import type { SalesView } from '#contract/sales/sales.ts'
import { number } from '#src/lib/format.ts'
import { Section } from './section.tsx'
import { salesText } from './text.ts'

const words = salesText.members

/** `12.5%`; a dash without any member at the start. */
export function churnText(before: number, left: number): string {
  return before === 0 ? '–' : `${number(Math.round((left / before) * 1000) / 10)}%`
}

const people = (count: number) => words.people(number(count))

/** @param isOpen whether the month is not over */
export function Members({ members, isOpen }: { members: SalesView['members']; isOpen: boolean }) {
  const { before, joined, left, plans } = members
  if (before + joined === 0) return null
  const facts = [
    [words.before, people(before)],
    [words.joined, people(joined)],
    [words.left, people(left)],
    [isOpen ? words.nowOpen : words.now, people(before + joined - left)],
    [words.churn, churnText(before, left)],
  ] as const
  return (
    <Section title={words.title}>
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 rail:grid-cols-5">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {plans.length > 0 && (
        <ul className="mt-4 border-t border-line">
          {plans.map((it) => (
            <li
              key={it.id}
              className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2.5"
            >
              <span className="min-w-0 break-words">{it.name}</span>
              <span className="text-sm text-soft tabular-nums">{words.change(it.joined, it.left)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3 text-sm text-soft">{words.churnHint}</p>
    </Section>
  )
}
