// A running job whose worker dies runs again; one whose worker lives does not.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import { jobKinds } from './job-kinds.ts'
import { type JobName, type Jobs, openJobs, type RawSql } from './jobs.ts'

/** Renewed each 0.2 s. */
const leaseSeconds = 1.2

/** A handler that ends on command, and what it was called with. */
function heldHandler() {
  const calls: string[] = []
  const ends: PromiseWithResolvers<void>[] = []
  return {
    calls,
    handler: ({ postId }: { postId: string }) => {
      calls.push(postId)
      const end = Promise.withResolvers<void>()
      ends.push(end)
      return end.promise
    },
    finish: () => ends.splice(0).forEach((it) => it.resolve()),
    fail: (why: string) => ends.splice(0).forEach((it) => it.reject(new Error(why))),
  }
}

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a running job', () => {
    let world: World
    const opened: Jobs[] = []
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((it) => it.stop()))
      await world.database.executeSql('delete from pgboss.job')
    })
    afterAll(() => world.close())

    /** A process with workers, whose database can be gone from it. */
    async function openProcess() {
      const errors: string[] = []
      let isCut: (text: string) => boolean = () => false
      const raw: RawSql = {
        executeSql: (text, values) =>
          isCut(text) ? Promise.reject(new Error('no database')) : world.database.executeSql(text, values),
      }
      const jobs = await openJobs(raw, (error) => errors.push(error.message), { leaseSeconds })
      opened.push(jobs)
      const cut = (when: typeof isCut = () => true) => (isCut = when)
      return { jobs, errors, cut, restore: () => cut(() => false) }
    }
    const enqueue = async () => {
      await world.deps.transaction((unit) => unit.enqueue('post.released', { postId: 'it' }))
      for (const it of opened) it.wake('post.released')
    }
    const rowOf = async () => {
      const { rows } = await world.database.executeSql(
        `select state::text, retry_count as retries, started_on is null as unstarted, output ->> 'message' as message,
           (output ->> 'leasedUntil')::timestamptz > now() as leased, start_after <= now() as due,
           output ->> 'leasedUntil' as until from pgboss.job where data ->> 'postId' = 'it'`,
      )
      return rows[0] as {
        state: string
        retries: number
        unstarted: boolean
        message: string | null
        leased: boolean | null
        due: boolean
        until: string | null
      }
    }
    const endLease = () =>
      world.database.executeSql(
        `update pgboss.job set output = output || '{"leasedUntil":"2020-01-01T00:00:00Z"}' where state = 'active'`,
      )

    test('of a process that was killed runs again in another one, which says so', async () => {
      const [killed, other] = [await openProcess(), await openProcess()]
      const [cut, again] = [heldHandler(), heldHandler()]
      await killed.jobs.work('post.released', 1, cut.handler)
      await enqueue()
      await expect.poll(() => cut.calls).toEqual(['it'])
      killed.cut()
      await other.jobs.work('post.released', 1, again.handler)
      await endLease()
      await expect.poll(() => again.calls).toEqual(['it'])
      expect(other.errors).toEqual([
        'the worker of a job (post.released) ended before it: the job runs again',
      ])
      expect(await rowOf()).toMatchObject({ state: 'active', retries: 1, leased: true })
      again.finish()
      await expect.poll(async () => (await rowOf()).state).toBe('completed')
    })

    test('that another process has taken over is not ended by the report of the first one', async () => {
      const [paused, other] = [await openProcess(), await openProcess()]
      const [first, second] = [heldHandler(), heldHandler()]
      await paused.jobs.work('post.released', 1, first.handler)
      await enqueue()
      await expect.poll(() => first.calls).toHaveLength(1)
      paused.cut()
      await other.jobs.work('post.released', 1, second.handler)
      await endLease()
      await expect.poll(() => second.calls).toHaveLength(1)
      paused.restore()
      first.finish()
      await paused.jobs.stop()
      expect(await rowOf()).toMatchObject({ state: 'active', leased: true })
      second.finish()
      await expect.poll(async () => (await rowOf()).state).toBe('completed')
    })

    test('keeps its lease while its process lives', async () => {
      const [busy, other] = [await openProcess(), await openProcess()]
      const [slow, never] = [heldHandler(), heldHandler()]
      await busy.jobs.work('post.released', 1, slow.handler)
      await enqueue()
      await expect.poll(() => slow.calls).toHaveLength(1)
      await other.jobs.work('post.released', 1, never.handler)
      const seen = new Set<string | null>()
      await expect.poll(async () => seen.add((await rowOf()).until).size).toBeGreaterThan(7)
      slow.finish()
      await expect.poll(async () => (await rowOf()).state).toBe('completed')
      expect([never.calls, busy.errors, other.errors]).toEqual([[], [], []])
    })

    test('is left to its worker after an outage of the database, in which every lease ended', async () => {
      const [busy, other] = [await openProcess(), await openProcess()]
      const [slow, never] = [heldHandler(), heldHandler()]
      await busy.jobs.work('post.released', 1, slow.handler)
      await other.jobs.work('post.released', 1, never.handler)
      other.jobs.wake('post.released')
      await enqueue()
      await expect.poll(() => slow.calls.length + never.calls.length).toBe(1)
      for (const it of [busy, other]) it.cut()
      await expect.poll(() => [busy, other].every((it) => it.errors.length > 0)).toBe(true)
      await endLease()
      for (const it of [other, busy]) it.restore()
      await expect.poll(async () => (await rowOf()).leased).toBe(true)
      for (const it of [slow, never]) it.finish()
      await expect.poll(async () => (await rowOf()).state).toBe('completed')
      expect(slow.calls.length + never.calls.length).toBe(1)
    })

    test('that ends while the database is away is reported once it is back, and does not run again', async () => {
      const { jobs, cut, restore, errors } = await openProcess()
      const { handler, calls, finish } = heldHandler()
      await jobs.work('post.released', 1, handler)
      await enqueue()
      await expect.poll(() => calls).toHaveLength(1)
      cut((text) => text.includes(`'completed'`))
      finish()
      await expect.poll(() => errors).toEqual(['no database'])
      expect(await rowOf()).toMatchObject({ state: 'active' })
      restore()
      await expect.poll(async () => (await rowOf()).state).toBe('completed')
      expect([calls, await rowOf()]).toEqual([['it'], expect.objectContaining({ retries: 0, message: null })])
    })

    test('that fails while the database is away is retried once it is back', async () => {
      const { jobs, cut, restore, errors } = await openProcess()
      const { handler, calls, fail } = heldHandler()
      await jobs.work('post.released', 1, handler)
      await enqueue()
      await expect.poll(() => calls).toHaveLength(1)
      cut((text) => text.includes('retry_limit'))
      fail('no answer\0')
      await expect.poll(() => errors).toEqual(['no database'])
      restore()
      await expect.poll(async () => (await rowOf()).message).toBe('no answer')
      expect(await rowOf()).toMatchObject({ state: 'retry', due: false })
      await world.database.executeSql('update pgboss.job set start_after = now()')
      await expect.poll(() => calls).toHaveLength(2)
      expect(await rowOf()).toMatchObject({ state: 'active', retries: 1 })
    })

    test.each(['goes on', 'fails'] as const)(
      'that %s while its process stops is given back at once, without a counted try',
      async (what) => {
        const { jobs } = await openProcess()
        const { handler, calls, fail, finish } = heldHandler()
        await jobs.work('post.released', 1, handler)
        await enqueue()
        await expect.poll(() => calls).toHaveLength(1)
        const stopped = jobs.stop()
        if (what === 'fails') fail('its helper was ended')
        await stopped
        finish()
        expect(await rowOf()).toMatchObject({ state: 'retry', retries: 0, unstarted: true, due: true })
      },
    )

    test('that takes longer than its kind may is failed, and tried again', async () => {
      const { jobs } = await openProcess()
      const { handler, calls } = heldHandler()
      await enqueue()
      await world.database.executeSql('update pgboss.job set expire_seconds = 0')
      await jobs.work('post.released', 1, handler)
      await expect.poll(async () => (await rowOf()).message).toBe('the job ran longer than 0 s')
      expect(calls).toEqual(['it'])
    })

    test('is failed after the death of four workers, since it may be what kills them', async () => {
      const { jobs, errors } = await openProcess()
      await enqueue()
      await world.database.executeSql(
        `update pgboss.job set state = 'active', started_on = now(), retry_limit = 0, retry_count = 3, output = '{}'`,
      )
      await endLease()
      await jobs.work('media.remove', 1, async () => undefined)
      await expect
        .poll(() => errors)
        .toEqual(['the worker of a job (post.released) ended before it: the job has failed'])
      expect(await rowOf()).toMatchObject({ state: 'failed', message: 'its worker ended' })
    })

    test('of the version before, which has no lease, is left to its expiry', async () => {
      const { jobs, errors } = await openProcess()
      await enqueue()
      await world.database.executeSql(
        `update pgboss.job set state = 'active', started_on = now(), output = null`,
      )
      await jobs.work('media.remove', 1, async () => undefined)
      const { handler, calls } = heldHandler()
      await jobs.work('post.fan-out' as 'post.released', 1, handler)
      await world.database.executeSql(
        `insert into pgboss.job (name, state, data, output) values ('post.fan-out', 'active', '{}', '{"leasedUntil":"2020-01-01T00:00:00Z"}')`,
      )
      await expect.poll(() => calls).toHaveLength(1)
      expect([(await rowOf()).state, errors]).toEqual(['active', [expect.stringContaining('post.fan-out')]])
    })
  })
})

test('an hour and more is given to what works on whole files, and minutes to an email or a push', () => {
  const longest = (name: JobName) => jobKinds[name].expiry
  // A process of a film may take 28 minutes, and its file is copied before and stored after it.
  expect(Math.min(longest('media.film'), longest('media.ladder'))).toBeGreaterThan(3600)
  // Connecting, greeting and each reply of a relay have limits of 10 and 30 s.
  expect([longest('letter.send'), longest('push.device'), longest('post.fan-out')]).toEqual([300, 300, 300])
})
