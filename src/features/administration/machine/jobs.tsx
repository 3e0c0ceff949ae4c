// Queues and FailedJobs: jobs by kind, and those that failed, as rows for keys.
import { useQuery } from '@tanstack/react-query'
import type { FailedJob } from '#contract/administration/machine.ts'
import { dateTime, number, relative } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { failedJobsQuery, type Machine, type Which } from './machine.ts'
import { cellClass, headClass, Part, WideTable } from '#src/features/administration/part.tsx'
import { machineText } from './text.ts'

interface QueuesProps {
  queues: Machine['queues']
  now: number
  onOpen: (it: Which) => void
}

export function Queues({ queues, now, onOpen }: QueuesProps) {
  const words = machineText.queues
  if (queues.length === 0)
    return (
      <Part title={words.title}>
        <p className="text-soft">{words.none}</p>
      </Part>
    )
  return (
    <Part title={words.title}>
      <WideTable label={words.table}>
        <thead>
          <tr>
            {Object.values(words.columns).map((it) => (
              <th key={it} scope="col" className={headClass}>
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.map((it) => (
            <tr key={it.name}>
              <th scope="row" className={`${cellClass} text-left font-mono font-normal`}>
                {it.name}
              </th>
              <td className={cellClass}>{number(it.waiting)}</td>
              <td className={cellClass}>{number(it.running)}</td>
              <td className={cellClass}>
                <span className="inline-flex items-center gap-3">
                  {number(it.failed)}
                  {it.failed > 0 && (
                    <Button
                      look="quiet"
                      size="small"
                      aria-label={words.actOf(it.name)}
                      onClick={() => onOpen({ is: 'all', name: it.name, count: it.failed })}
                    >
                      {machineText.jobs.open}
                    </Button>
                  )}
                </span>
              </td>
              <td className={cellClass}>{it.since === null ? '' : relative(Date.parse(it.since), now)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Part>
  )
}

export function FailedJobs({ failed, onOpen }: { failed: Failed; onOpen: (it: Which) => void }) {
  const words = machineText.jobs
  const reading = useQuery(failedJobsQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { jobs } = reading.data
  return (
    <Part title={words.title}>
      {jobs.length === 0 ? (
        <p className="text-soft">{words.none}</p>
      ) : (
        <ul className="border-t border-line">
          {jobs.map((it) => (
            <Job key={it.id} job={it} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function Job({ job, onOpen }: { job: FailedJob; onOpen: (it: Which) => void }) {
  const words = machineText.jobs
  return (
    <li data-row tabIndex={-1} className="flex items-start gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3">
          <span className="font-mono">{job.name}</span>
          <Badge look="care">{machineText.queues.columns.failed}</Badge>
        </p>
        <p className="text-sm text-soft tabular-nums">
          {words.row(dateTime(Date.parse(job.failed_at)), job.tries)}
        </p>
        <p lang="en" className="mt-1 font-mono text-xs break-all">
          {job.reason === '' ? words.noReason : job.reason}
        </p>
      </div>
      <Button
        data-open
        look="quiet"
        size="small"
        aria-label={words.openOf(job.name)}
        onClick={() => onOpen({ is: 'one', id: job.id, name: job.name })}
      >
        {words.open}
      </Button>
    </li>
  )
}
