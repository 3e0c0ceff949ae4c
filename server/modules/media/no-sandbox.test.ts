// A production server without a sandbox stores media and does not process them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openChildMediaMaker, sandboxlessMediaMaker } from '#server/testing/media/makers.ts'
import { finderOf } from '#server/testing/media/sandboxes.ts'
import { call } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { type Running, startServer } from '#server/testing/process.ts'
import { openStudio } from '#server/testing/people/studio.ts'
import { fillDataFolder } from '#server/testing/template.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World | undefined
let server: Running | undefined
afterEach(async () => {
  await world?.close()
  await server?.end('SIGTERM')
  world = server = undefined
})

test('a picture fails with a reason for its author, and a retry with a sandbox makes it ready', async () => {
  let maker = sandboxlessMediaMaker
  const sandboxedMaker = openChildMediaMaker()
  const mediaMaker = {
    make: (task: Parameters<typeof maker.make>[0]) => maker.make(task),
    makeLadder: (task: Parameters<typeof maker.makeLadder>[0]) => maker.makeLadder(task),
    close: () => sandboxedMaker.close(),
  }
  world = await openWorld({ worker: true, parts: { mediaMaker } })
  const studio = await openStudio(world)
  const [field, id] = await studio.image(await jpeg(), 'a.jpg')
  const postId = await studio.post([['type', '1'], field])
  expect(await studio.processedMedia(postId)).toMatchObject([{ state: 'failed', failure: 'no_sandbox' }])
  expect((await studio.file(id, 'original', studio.creator)).statusCode).toBe(200)
  maker = sandboxedMaker
  const again = await call(world, studio.creator, 'POST', `/media/${id}/retry`)
  expect(again.json()).toEqual({ data: { id, state: 'processing' } })
  expect(await studio.processedMedia(postId)).toMatchObject([{ state: 'ready' }])
})

test('where no sandbox works, production refuses media and development does not', async () => {
  const outcomeWith = async (refusesUnconfined: boolean) => {
    world = await openWorld({ worker: true, parts: { mediaSandbox: finderOf(['none']), refusesUnconfined } })
    const studio = await openStudio(world)
    const [field] = await studio.image(await jpeg(), 'a.jpg')
    const [media] = await studio.processedMedia(await studio.post([['type', '1'], field]))
    await world.close()
    world = undefined
    return [media?.state, media?.failure]
  }
  expect(await outcomeWith(true)).toEqual(['failed', 'no_sandbox'])
  expect(await outcomeWith(false)).toEqual(['ready', undefined])
})

test('the log and the health report name the missing sandbox, and the log its consequence', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-no-sandbox-'))
  await fillDataFolder(path.join(folder, 'data'))
  const production = {
    NODE_ENV: 'production',
    OPERATOR_NAME: '株式会社見本',
    OPERATOR_EMAIL: 'contact@todoke.test',
    SMTP_URL: 'smtp://127.0.0.1:9',
  }
  const reportsWith = async (env: Record<string, string>) => {
    server = await startServer({ DATA_DIR: path.join(folder, 'data'), PATH: '/nowhere', ...env })
    const health = (await (await fetch(`${server.origin}/api/health`)).json()) as object
    const log = server.output()
    await server.end('SIGTERM')
    return { health, log }
  }
  const refusing = await reportsWith(production)
  expect(refusing.health).toMatchObject({ status: 'ok', media_sandbox: 'none' })
  expect(refusing.log).toContain('pictures and videos are refused')
  const accepting = await reportsWith({ ...production, MEDIA_DECODERS_UNCONFINED: 'accept-risk' })
  expect(accepting.health).toMatchObject({ media_sandbox: 'none' })
  expect(accepting.log).toContain('media are decoded without one')
  await rm(folder, { recursive: true })
})
