// A queue over one job in memory, for tests of the runner. It records every call.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import { nextTask } from '#contract/testing/next-task.ts'
import type { Session } from '#device/database/schema.ts'
import type { FileJob, MutationJob, PostJob } from '#device/jobs/job-rows.ts'
import type { AnyJob, BoundKind } from '#sw/queue/kind.ts'
import { fileKinds, mutationKinds } from '#sw/queue/kinds.ts'
import type { Outcome, Ports } from '#sw/queue/ports.ts'
import type { QueueApi } from '#sw/queue/requests/queue-api.ts'
import { createRunner } from '#sw/queue/runner.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter, FILE } from './job-after.ts'
import { stillClock, storeWith } from './scripted-server.ts'

/** The session of a person. */
export function session(id: string): Session {
  return { token: 't', user: { id, email: '', name: '', role: 'member', avatar_url: null } }
}

/** A post with one picture. */
export const post = (change: (job: PostJob) => PostJob = (it) => it, fileId = FILE): PostJob =>
  change(postJob([{ id: fileId, size: 10 }]))

/** The job after the server has received the whole picture. */
export const withSentFile = (job: PostJob): PostJob =>
  jobAfter(job, { type: 'accepted', fileId: FILE, offset: 10 })
export const succeed = async (): Promise<Outcome<null>> => ({ is: 'ok', value: null })
const unexpected = (): Promise<never> => Promise.reject(new Error('the test defines no such call'))

/** An API with the calls that a test defines; others reject. `called` runs before each: a call takes longer than promises. */
export function apiWith(
  calls: Partial<QueueApi>,
  called: (name: string) => Promise<void> = nextTask,
): QueueApi {
  const recorded = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      await called(name)
      return call(...args)
    }
  }
  return {
    send: recorded('send', calls.send ?? unexpected),
    discard: recorded('discard', calls.discard ?? unexpected),
    addPost: recorded('addPost', calls.addPost ?? unexpected),
    release: recorded('release', calls.release ?? unexpected),
    withdraw: recorded('withdraw', calls.withdraw ?? unexpected),
    submitCheck: recorded('submitCheck', calls.submitCheck ?? unexpected),
    submitMessage: recorded('submitMessage', calls.submitMessage ?? unexpected),
    mutate: recorded('mutate', calls.mutate ?? unexpected),
  }
}

/** A queue over one job with files. `log` has the end of the job, its notices and every call, in their order. */
export const queue = <J extends FileJob>(
  first: J,
  api: Partial<QueueApi>,
  more: Pick<Ports, 'offline' | 'notify'> = {},
) => queueOf<FileJob, J>(first, api, fileKinds, more)

/** As `queue`, over one mutation. */
export const mutationQueue = (
  first: MutationJob,
  api: Partial<QueueApi>,
  more: Pick<Ports, 'offline' | 'notify'> = {},
) => queueOf<MutationJob, MutationJob>(first, api, mutationKinds, more)

/** State of a queue over one job that tests read and change. */
interface State<J> {
  /** The stored job; no event changes its kind. */
  row: J | undefined
  session: Session | undefined
  chosen?: () => void
  locks: number
}

/** A store with one row in memory, which records the end of the row and the durability of each change. */
function storeOf<All extends AnyJob, J extends All>(state: State<J>, log: string[], durabilities: string[]) {
  const end = (name: string) => async () => {
    log.push(name)
    state.row = undefined
  }
  return storeWith<All>({
    session: async () => state.session,
    deliveries: async (ownerId) => {
      const rows = state.row?.ownerId === ownerId ? [state.row] : []
      state.chosen?.()
      return rows
    },
    change: async (_id, change, durability) => {
      await nextTask()
      if (!state.row) return undefined
      const next = change(state.row)
      if (next !== state.row) durabilities.push(durability ?? 'strict')
      state.row = next as J
      return next
    },
    finish: end('finish'),
    drop: end('drop'),
  })
}

function queueOf<All extends AnyJob, J extends All>(
  first: J,
  api: Partial<QueueApi>,
  kinds: (api: QueueApi) => readonly BoundKind<All>[],
  more: Pick<Ports, 'offline' | 'notify'>,
) {
  const state: State<J> = { row: first, session: session('aoi'), locks: 0 }
  const log: string[] = []
  const durabilities: string[] = []
  const notices: string[] = []
  const shown: DeliveryNotice[] = []
  const ports: Ports<All> = {
    store: storeOf<All, J>(state, log, durabilities),
    clock: stillClock,
    lock: async (work) => {
      state.locks += 1
      try {
        return await work()
      } finally {
        state.locks -= 1
      }
    },
    notify: async (notice) => {
      shown.push(notice)
      log.push(notice.is)
      notices.push(notice.is)
    },
    ...more,
  }
  const called = (name: string) => {
    log.push(name)
    return nextTask()
  }
  return {
    runner: createRunner(ports, kinds(apiWith(api, called))),
    state,
    log,
    durabilities,
    notices,
    shown,
  }
}
