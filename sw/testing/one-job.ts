// A queue over one job in memory, which notes every call: for tests of the loop.
import { newId } from '#contract/ids.ts'
import { newFacts } from '#device/jobs/facts.ts'
import type { Job, JobFacts, Queued, Session } from '#device/database/schema.ts'
import { makeRunner } from '#sw/queue/drain.ts'
import { apply } from '#sw/queue/machine.ts'
import type { Outcome, Ports } from '#sw/queue/ports.ts'
import { stillClock, storeWith } from './transcript.ts'

export const FILE = newId()

/** The session of a person. */
export function session(id: string): Session {
  return { token: 't', user: { id, email: '', name: '', role: 'member', avatar_url: null } }
}

/** A post with one picture. */
export function post(change: (facts: JobFacts) => JobFacts = (it) => it, mediaId = FILE): Job {
  return {
    id: 'posted',
    ownerId: 'aoi',
    kind: 'post',
    protocol: 'tus',
    form: {
      content: 'a',
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      kind: 'images',
      duration: null,
      thumbnailId: null,
      frameId: null,
    },
    facts: change(newFacts([{ id: mediaId, size: 10, kind: 'image' }], 'tus')),
    createdAt: 1,
  }
}

/** The server has the picture whole. */
export const sent = (facts: JobFacts) => apply(facts, { type: 'accepted', mediaId: FILE, offset: 10 })
export const done = async (): Promise<Outcome<null>> => ({ is: 'ok', value: null })
/** A write or a call takes longer than the promises around it. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 0))
const unexpected = (): Promise<never> => Promise.reject(new Error('the test gave no such call'))

/** A queue over one row in memory. `log` has every change of it and every call, in their order. */
export function queue(first: Queued, api: Partial<Ports['api']>, more: Pick<Ports, 'offline'> = {}) {
  const state: { row: Queued | undefined; session: Session | undefined; chosen?: () => void; locks: number } =
    {
      row: first,
      session: session('aoi'),
      locks: 0,
    }
  const log: string[] = []
  const durabilities: string[] = []
  const notices: string[] = []
  const called = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      log.push(name)
      await tick()
      return call(...args)
    }
  }
  const ports: Ports = {
    store: storeWith({
      session: async () => state.session,
      deliveries: async (ownerId) => {
        const rows = state.row?.ownerId === ownerId ? [state.row] : []
        state.chosen?.()
        return rows
      },
      changeFacts: async (_id, change, durability) => {
        await tick()
        if (!state.row) return undefined
        const facts = change(state.row.facts)
        if (facts !== state.row.facts) durabilities.push(durability ?? 'strict')
        state.row = { ...state.row, facts }
        return state.row
      },
      finish: async () => {
        log.push('finish')
        state.row = undefined
      },
      drop: async () => {
        log.push('drop')
        state.row = undefined
      },
    }),
    api: {
      send: called('send', api.send ?? unexpected),
      discard: called('discard', api.discard ?? unexpected),
      addPost: called('addPost', api.addPost ?? unexpected),
      release: called('release', api.release ?? unexpected),
      withdraw: called('withdraw', api.withdraw ?? unexpected),
      submitCheck: called('submitCheck', api.submitCheck ?? unexpected),
      act: called('act', api.act ?? unexpected),
    },
    clock: stillClock,
    lock: async (work) => {
      state.locks += 1
      try {
        return await work()
      } finally {
        state.locks -= 1
      }
    },
    ...more,
    notify: async (notice) => {
      log.push(notice.is)
      notices.push(notice.is)
    },
  }
  return { runner: makeRunner(ports), state, log, durabilities, notices }
}
