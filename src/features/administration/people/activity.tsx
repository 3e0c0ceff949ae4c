// Activity: numbers of a person, with links to the reports about and by them.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PersonPage } from '#contract/administration/people.ts'
import { Facts } from '#src/features/administration/facts.tsx'
import { number } from '#src/lib/format.ts'
import { linkClass } from '#src/ui/text/link-class.ts'
import { personCasesQuery } from './people.ts'
import { peopleText as words } from './text.ts'

interface ActivityProps {
  activity: NonNullable<PersonPage['activity']>
  /** The person whose reports the counts lead to; undefined where the viewer may not read them. */
  reportsOf: string | undefined
}

export function Activity({ activity, reportsOf: id }: ActivityProps) {
  const names = ['posts', 'comments', 'followers', 'following'] as const
  const { reports_by: by, reports_about: about } = activity
  return (
    <Facts
      facts={[
        ...names.map((it) => [words.counts[it], number(activity[it])] as const),
        [words.counts.reports_by, <ReportCount key="by" count={by} which="by" id={id} />],
        // Staff do not learn here whether they were reported themselves.
        ...(about === null
          ? []
          : [
              [
                words.counts.reports_about,
                <ReportCount key="about" count={about} which="about" id={id} />,
              ] as const,
            ]),
      ]}
    />
  )
}

interface ReportCountProps {
  count: number
  which: 'about' | 'by'
  id: string | undefined
}

/** A number of reports, with a link to their cases: to those that wait, if there are any. */
function ReportCount({ count, which, id }: ReportCountProps) {
  const waiting = useQuery({ ...personCasesQuery(id ?? ''), enabled: id !== undefined }).data?.waiting
  if (id === undefined || count === 0) return number(count)
  return (
    <Link
      to="/admin/report"
      search={{ state: waiting?.[which] === false ? 'decided' : 'open', [which]: id }}
      className={linkClass}
    >
      {words.reportsOf(number(count))}
    </Link>
  )
}
