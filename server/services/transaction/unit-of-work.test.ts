// Jobs and live messages of a unit of work follow its commit.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Ending, type LiveMessage, personChannel } from '#contract/realtime/channels.ts'
import { createTransaction, type Transaction, type UnitOfWork } from './unit-of-work.ts'
import { users } from '#server/store/tables/people.ts'
import { signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const message = (): LiveMessage => ({
  channel: personChannel(newId()),
  event: 'notifications.changed',
  data: { unread: 1 },
})

interface Observed {
  readonly transaction: Transaction<UnitOfWork>
  /** The effects after the commit, in order. */
  readonly log: unknown[]
  readonly errors: string[]
}

/** A transaction on the test server's database: jobs are added, and effects after the commit are logged. */
function observed(failing: { publish?: () => never; wake?: () => never } = {}): Observed {
  const log: unknown[] = []
  const errors: string[] = []
  const { db, jobs } = world.deps
  const transaction = createTransaction(
    {
      db,
      jobs: { ...jobs, wake: (name) => (failing.wake ? failing.wake() : void log.push(`wake ${name}`)) },
      realtime: {
        publish: (messages: readonly LiveMessage[]) =>
          failing.publish ? failing.publish() : void log.push({ published: messages }),
        end: (endings: readonly Ending[]) => void log.push({ ended: endings }),
      },
      audit: { mac: (text) => world.deps.secrets.mac('audit', text), clock: () => world.clock.now },
      onError: (error) => void errors.push(error.message),
    },
    () => ({}),
  )
  return { transaction, log, errors }
}

const nameOf = async (userId: string): Promise<unknown> =>
  (await world.database.executeSql('select name from users where id = $1', [userId])).rows[0]
const jobsOf = async (letterId: string) => {
  const { rows } = await world.database.executeSql(
    `select name from pgboss.job where data->>'letterId' = $1`,
    [letterId],
  )
  return rows
}

test('jobs are woken and messages published only after the commit', async () => {
  const { transaction, log } = observed()
  const [one, letterId] = [message(), newId()]
  const during = await transaction(async ({ enqueue, publish }) => {
    publish(one)
    await enqueue('letter.send', { letterId })
    return [...log]
  })
  expect([during, log]).toEqual([[], ['wake letter.send', { published: [one] }]])
  expect(await jobsOf(letterId)).toEqual([{ name: 'letter.send' }])
})

test('workers of one kind are woken once, for as many jobs as were added', async () => {
  const { transaction, log } = observed()
  const ids = [newId(), newId(), newId()]
  await transaction(async ({ enqueue, enqueueMany }) => {
    await enqueue('letter.send', { letterId: ids[0] ?? '' })
    await enqueue('letter.send', { letterId: ids[1] ?? '' })
    await enqueueMany('letter.send', [{ letterId: ids[2] ?? '' }])
    await enqueueMany('media.remove', [])
  })
  expect(log).toEqual(['wake letter.send'])
  expect((await Promise.all(ids.map(jobsOf))).flat()).toHaveLength(3)
})

test('a delayed job wakes nothing: its workers find it when it is due', async () => {
  const { transaction, log } = observed()
  const letterId = newId()
  await transaction(({ enqueue }) => enqueue('letter.send', { letterId }, { seconds: 600 }))
  expect([log, await jobsOf(letterId)]).toEqual([[], [{ name: 'letter.send' }]])
})

test('a rollback writes nothing, adds no job, wakes nothing, publishes nothing and ends no connection', async () => {
  const { transaction, log, errors } = observed()
  const member = await signUp(world)
  const before = await nameOf(member.id)
  const letterId = newId()
  const failing = transaction(async ({ tx, enqueue, publish, endConnections }) => {
    await tx.execute("update users set name = 'changed'")
    await enqueue('letter.send', { letterId })
    publish(message())
    publish(async () => message())
    endConnections({ is: 'person', userId: member.id })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([log, errors, await jobsOf(letterId)]).toEqual([[], [], []])
  expect(await nameOf(member.id)).toEqual(before)
})

test('a publication that throws is reported; it rolls back nothing and stops no other effect', async () => {
  const failing = (): never => {
    throw new Error('no connection')
  }
  const { transaction, log, errors } = observed({ publish: failing, wake: failing })
  const member = await signUp(world)
  const done = await transaction(async ({ tx, enqueue, publish, endConnections }) => {
    await tx.execute(`update users set name = 'stored' where id = '${member.id}'`)
    await enqueue('letter.send', { letterId: newId() })
    publish(message())
    endConnections({ is: 'person', userId: member.id })
    return 'done'
  })
  expect([done, await nameOf(member.id)]).toEqual(['done', { name: 'stored' }])
  expect(log).toEqual([{ ended: [{ is: 'person', userId: member.id }] }])
  expect(errors).toEqual(['no connection', 'no connection'])
})

test('a message that is read after the commit has what the transaction wrote', async () => {
  const { transaction, log } = observed()
  const member = await signUp(world)
  const sent = message()
  await transaction(async ({ tx, publish }) => {
    publish(async (db) => {
      const rows = await db.select({ name: users.name }).from(users).where(eq(users.id, member.id))
      return rows.map((data) => ({ ...sent, data }) as unknown as LiveMessage)
    })
    await tx.execute(`update users set name = 'new' where id = '${member.id}'`)
  })
  expect(log).toEqual([{ published: [{ ...sent, data: { name: 'new' } }] }])
})

test('messages and endings keep their order; consecutive ones of one kind are one call', async () => {
  const { transaction, log } = observed()
  const [one, two, three] = [message(), message(), message()]
  const ending: Ending = { is: 'permissions', userIds: [newId()] }
  await transaction(async ({ publish, endConnections }) => {
    publish(one)
    publish(two)
    endConnections(ending)
    endConnections(ending)
    publish(three)
  })
  expect(log).toEqual([{ published: [one, two] }, { ended: [ending, ending] }, { published: [three] }])
})
