// Describes the files, stage and wait of a job in one line, for transcripts.
import type { FileState } from '#device/jobs/file-row.ts'
import type { Queued } from '#device/jobs/job-rows.ts'

/** The state of a file. `at a` is an upload URL that ends with a. */
export function describeFile(state: FileState | undefined): string {
  if (!state) return 'not in the job'
  const upload = 'upload' in state ? state.upload : null
  const url = 'url' in state ? state.url : upload?.url
  const code = state.is === 'failed' ? ` (${state.code})` : ''
  const next = state.is === 'discarding' ? `, then ${state.next}` : ''
  return `${state.is}${code}${upload ? ` ${upload.acked}` : ''}${url ? ` at ${url.at(-1)}` : ''}${next}`
}

/** The end of a wait and the flags that are set. */
function waitWords({ until, ...flags }: Queued['wait']): string {
  const set = Object.entries(flags).filter(([, value]) => value)
  return ['wait until', until, ...set.map(([key, value]) => (value === true ? key : value))].join(' ')
}

/** The stage, each file with its resends, the failures and the wait; values without meaning are left out. */
export function describeJob(job: Queued): string {
  const { stage, attempts, wait } = job
  const details = Object.entries(stage).flatMap(([key, value]) =>
    key === 'is' || value === null ? [] : [`${key} ${JSON.stringify(value)}`],
  )
  const files = job.kind === 'mutation' ? [] : job.files
  const parts = [
    [stage.is, ...details].join(' '),
    ...files.map(({ state, resends: { digest, gone } }) => {
      const resends = digest === 0 && gone === 0 ? '' : ` (resends: ${digest} digest, ${gone} gone)`
      return `${describeFile(state)}${resends}`
    }),
    ...(job.kind === 'post' && job.readds > 0 ? [`readds ${job.readds}`] : []),
    ...(attempts > 0 ? [`failures ${attempts}`] : []),
    ...(wait.until > 0 ? [waitWords(wait)] : []),
  ]
  return parts.join(' | ')
}
