// Whether a sandbox works where media are made: here, or in the workers.
import * as v from 'valibot'
import { sandboxStates } from '#contract/health.ts'
import type { SandboxFinder } from '#server/adapters/media/sandbox/finder.ts'
import type { Db } from '#server/store/database.ts'
import { listReports, REPORT_LIFE } from '#server/store/staff/machine.ts'

type SandboxState = (typeof sandboxStates)[number]

interface FoundMediaSandbox {
  readonly state: SandboxState
  /** Why it is not `bubblewrap`, as far as this process knows; '' otherwise. */
  readonly reason: string
  /** Whether a process that makes media has reported. */
  readonly reported: boolean
}

interface Ports {
  readonly db: Db
  readonly mediaSandbox: SandboxFinder | undefined
}

/** The first one of these that a worker has reported is the state of all. */
const worstFirst: readonly SandboxState[] = ['none', 'unknown', 'bubblewrap']

const reportOfSandbox = v.object({ media_sandbox: v.picklist(sandboxStates) })

/**
 * A server that makes media answers for itself. Others read what workers have published within a minute; the worst of them counts,
 * and it is `unknown` when there is none.
 */
export async function findMediaSandbox({ db, mediaSandbox }: Ports): Promise<FoundMediaSandbox> {
  if (mediaSandbox) return { ...mediaSandbox.found(), reported: true }
  const reports = await listReports(db, new Date(Date.now() - REPORT_LIFE))
  const states = reports.flatMap(({ figures }) => {
    // Servers of another version, and those that make no media, have no state.
    const parsed = v.safeParse(reportOfSandbox, figures)
    return parsed.success ? [parsed.output.media_sandbox] : []
  })
  const state = worstFirst.find((it) => states.includes(it)) ?? 'unknown'
  return { state, reason: '', reported: states.length > 0 }
}
