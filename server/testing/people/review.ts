// Set-up for tests of reviews: two admins, and a person with a submitted identity check.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import { type DatabaseKind, openWorld, type World } from '#server/testing/world.ts'
import { admin, audited, identify, LEGAL_NAME, readFiles, submitted } from './identity.ts'
import { call, errorOf, type Member, signUp } from './members.ts'

/** The state in a reply, or its status and error code. */
export const stateOrError = (reply: Awaited<ReturnType<typeof call>>) =>
  reply.statusCode === 200 ? reply.json().data.state : [reply.statusCode, errorOf(reply).code]

export interface ReviewSetup {
  world: World
  aya: Member
  ben: Member
  /** The person who submitted `check`; both are new for each test. */
  person: Member
  check: string
}

/** Opens a test server for a `describe`, and submits a check before each test. */
export function reviewSetup(database: DatabaseKind): ReviewSetup {
  const it = {} as ReviewSetup
  beforeAll(async () => {
    it.world = await openWorld({ database })
    it.aya = await admin(it.world)
    it.ben = await admin(it.world)
  })
  afterAll(() => it.world.close())
  beforeEach(async () => {
    it.person = await signUp(it.world)
    it.check = await submitted(it.world, it.person)
  })
  return it
}

/** Actions of admins on the check of a set-up. */
export function reviewActions(it: ReviewSetup) {
  const facts = { ...LEGAL_NAME, birth_date: '1990-04-01' }
  const act = async (as: Member, action: string, payload?: object) => {
    const body = { ...facts, ...payload }
    return stateOrError(
      await call(it.world, as, 'POST', `/admin/identity/checks/${it.check}/${action}`, body),
    )
  }
  const opened = async (as: Member) =>
    (await call(it.world, as, 'GET', `/admin/identity/checks/${it.check}`)).json<CheckDetail>()
  return {
    act,
    /** Is sent each file of the taken check, in a validated session. */
    see: async (as: Member) => {
      await identify(it.world, as)
      await readFiles(it.world, as, it.check)
    },
    opened,
    state: async () => (await call(it.world, it.person, 'GET', '/identity')).json().state,
    fileIds: async (): Promise<{ id: string; part: string }[]> =>
      (await opened(it.aya)).evidence?.files ?? [],
    /** Aya takes the check, in a validated session. */
    takeAsAya: async () => {
      await act(it.aya, 'take')
      await identify(it.world, it.aya)
    },
    /** The actions on this check in the audit log. */
    acts: async () =>
      (await audited(it.world))
        .filter(({ subject }) => subject === it.check)
        .map(({ act: action, actor }) => [action, actor]),
  }
}
