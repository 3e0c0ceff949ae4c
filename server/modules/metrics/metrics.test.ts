// A scrape has counts without ids and paths, for its token alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import {
  addPost,
  call,
  type Member,
  patch,
  postIdOf,
  signUp,
  tus,
  upload,
} from '#server/testing/people/members.ts'
import { METRICS_TOKEN, openScraped, scrape, typesIn } from '#server/testing/scrape.ts'
import { databases, type World } from '#server/testing/world.ts'

test('without a token the path does not exist, as any unknown path', async () => {
  const world = await openScraped({ settings: { metricsToken: '' } })
  const [metrics, unknown] = [
    await world.app.inject({ url: '/metrics' }),
    await world.app.inject({ url: '/unknown' }),
  ]
  expect([metrics.statusCode, metrics.body]).toEqual([unknown.statusCode, unknown.body])
  await world.close()
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a scrape', () => {
    let world: World
    let me: Member
    beforeAll(async () => {
      world = await openScraped({ database: kind })
      me = await signUp(world)
    })
    afterAll(() => world.close())
    const added = async (series: string, work: () => Promise<unknown>) => {
      const before = (await scrape(world)).value(series) ?? 0
      await work()
      return ((await scrape(world)).value(series) ?? 0) - before
    }
    const post = (key = newId()) =>
      addPost(
        world,
        me,
        [
          ['type', '1'],
          ['content', '詩'],
        ],
        key,
      )
    const release = (id: string) => call(world, me, 'POST', `/post/release-uploaded/${id}`)

    test('is for the token alone', async () => {
      for (const authorization of [undefined, 'Bearer wrong', `Bearer ${METRICS_TOKEN}x`, METRICS_TOKEN]) {
        const headers = authorization === undefined ? {} : { authorization }
        const refused = await world.app.inject({ url: '/metrics', headers })
        expect([outcomeOf(refused), refused.headers['www-authenticate']]).toEqual([
          'unauthenticated',
          'Bearer',
        ])
      }
      const { headers } = await world.app.inject({
        url: '/metrics',
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      })
      expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
      expect(headers['cache-control']).toBe('no-store')
    })

    test('counts requests by pattern and status, and has no id, path or person', async () => {
      const id = newId()
      const series = 'todoke_http_requests_total{method="GET",route="/api/posts/:post_id",status="404"}'
      expect(await added(series, () => call(world, me, 'GET', `/posts/${id}`))).toBe(1)
      await world.app.inject({ url: `/api/${id}` })
      await world.app.inject({ method: 'DELETE', url: `/${id}` })
      const { text, value } = await scrape(world)
      expect(value('todoke_http_requests_total{method="unknown",route="unknown",status="404"}')).toBe(1)
      expect(
        value('todoke_http_request_duration_seconds_count{method="GET",route="/api/posts/:post_id"}'),
      ).toBe(1)
      for (const hidden of [id, me.id, me.token, me.email]) expect(text).not.toContain(hidden)
    })

    test('counts posts once, and what arrived again', async () => {
      const [key, again] = [newId(), 'todoke_repeated_requests_total']
      const id = postIdOf(await post(key))
      expect(await added(`${again}{kind="post"}`, () => post(key))).toBe(1)
      expect(await added('todoke_posts_released_total', () => release(id))).toBe(1)
      expect(await added('todoke_posts_released_total', () => release(id))).toBe(0)
      expect(await added(`${again}{kind="release"}`, () => release(id))).toBe(1)
      const comment = { id: newId(), content: 'はい' }
      const write = () => call(world, me, 'POST', `/posts/${id}/comments`, comment)
      expect(await added(`${again}{kind="comment"}`, write)).toBe(0)
      expect(await added(`${again}{kind="comment"}`, write)).toBe(1)
      const number = { 'act-number': `${newId()}.7` }
      const like = () => call(world, me, 'PUT', `/posts/${id}/like`, undefined, number)
      expect(await added(`${again}{kind="mutation"}`, like)).toBe(0)
      expect(await added(`${again}{kind="mutation"}`, like)).toBe(1)
      const other = await signUp(world)
      const send = () => call(world, me, 'POST', `/conversations/${other.id}/messages`, comment)
      expect(await added(`${again}{kind="message"}`, send)).toBe(0)
      expect(await added(`${again}{kind="message"}`, send)).toBe(1)
    })

    test('counts received bytes of uploads, repeated ones and wrong offsets', async () => {
      const bytes = Buffer.alloc(1000)
      const [id, again] = [newId(), 'todoke_repeated_requests_total']
      expect(
        await added('todoke_upload_received_bytes_total', () => upload(world, me, bytes, 'a.bin', id)),
      ).toBe(1000)
      expect(await added(`${again}{kind="offset"}`, () => patch(world, me, id, 0, bytes))).toBe(1)
      expect(await added(`${again}{kind="upload"}`, () => upload(world, me, bytes, 'a.bin', id))).toBe(1)
    })

    test('has jobs, payments and uploads of the database, and zero where there are none', async () => {
      const fresh = await openScraped({ database: kind })
      const job = (name: string, due: string) =>
        fresh.database.executeSql(
          `insert into pgboss.job (name, state, start_after) values ('${name}', 'created', now() + interval '${due}')`,
        )
      await job('media.film', '-2 minutes')
      await job('media.film', '-1 minute')
      await job('notice.begin', '1 day')
      await fresh.database.executeSql(
        `insert into pgboss.job (name, state, started_on, expire_seconds, output)
         select 'post.fan-out', 'active', now() - interval '90 seconds', 300,
           jsonb_build_object('leasedUntil', now() + until * interval '1 second') from unnest(array[-1, 60]) as until`,
      )
      const person = await signUp(fresh)
      await fresh.app.inject({
        method: 'POST',
        url: TUS_PATH,
        headers: { ...person.auth, ...tus, 'upload-length': '5000' },
      })
      const { value } = await scrape(fresh)
      expect(value('todoke_database_read_success')).toBe(1)
      expect(value('todoke_jobs{queue="media.film",state="waiting"}')).toBe(2)
      expect(value('todoke_job_queue_age_seconds{queue="media.film"}')).toBeGreaterThanOrEqual(119)
      expect(value('todoke_jobs{queue="notice.begin",state="waiting"}')).toBe(1)
      expect(value('todoke_job_queue_age_seconds{queue="notice.begin"}')).toBe(0)
      expect(value('todoke_jobs{queue="letter.send",state="failed"}')).toBe(0)
      expect(value('todoke_jobs{queue="post.fan-out",state="running"}')).toBe(2)
      expect(value('todoke_job_running_age_seconds{queue="post.fan-out"}')).toBeGreaterThanOrEqual(89)
      expect(value('todoke_jobs_overdue{queue="post.fan-out"}')).toBe(1)
      expect(value('todoke_job_running_age_seconds{queue="media.film"}')).toBe(0)
      expect(value('todoke_jobs_overdue{queue="media.film"}')).toBe(0)
      expect(value('todoke_payments{state="paid"}')).toBe(0)
      expect([value('todoke_uploads_open'), value('todoke_uploads_open_bytes')]).toEqual([1, 5000])
      expect(value('todoke_live_connections{person="known"}')).toBe(0)
      await fresh.close()
    })

    test('has the pool of PostgreSQL, and none for the embedded database', async () => {
      const free = (await scrape(world)).value('todoke_database_pool_connections{state="free"}')
      expect(free === undefined).toBe(kind === 'pglite')
      expect((await scrape(world)).value('todoke_event_loop_delay_seconds{percentile="99"}')).toBeDefined()
    })

    test('has values that are described, with names by the conventions of Prometheus', async () => {
      for (const [name, type] of typesIn((await scrape(world)).text)) {
        if (!name.startsWith('todoke_')) continue
        expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
        expect(name).not.toMatch(/_(ms|milliseconds|kib|mib)(_|$)/)
      }
    })
  })
})

test('two servers in one process count for themselves', async () => {
  const [one, other] = [await openScraped(), await openScraped()]
  await call(one, null, 'GET', '/health')
  const series = 'todoke_http_requests_total{method="GET",route="/api/health",status="200"}'
  expect([(await scrape(one)).value(series), (await scrape(other)).value(series)]).toEqual([1, undefined])
  await Promise.all([one.close(), other.close()])
})

test('a lost database leaves the other metrics', async () => {
  const world = await openScraped()
  await world.deps.jobs.stop()
  await world.database.close()
  const { value } = await scrape(world)
  expect(value('todoke_database_read_success')).toBe(0)
  expect(value('todoke_payments{state="paid"}')).toBeUndefined()
  expect(value('todoke_repeated_requests_total{kind="release"}')).toBe(0)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(0)
  await world.close().catch(() => undefined)
})
