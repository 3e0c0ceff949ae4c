// Media while the state of the sandbox is unknown, and once one works after all.
import { afterEach, expect, test } from 'vitest'
import { findMedia, requestLadder, setMediaReady } from '#server/store/media/media.ts'
import { finderOf, type SandboxState } from '#server/testing/media/sandboxes.ts'
import { addPost, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { makeMedia } from './make.ts'
import { followSandbox } from './resume.ts'
import { makeNextLadder } from './turns.ts'

const made = { widths: [480], poster: false, blurred: true }
const ready = { width: 1, height: 1, duration: null, animated: false, made }

let world: World
let creator: Member
afterEach(() => world.close())

/** A production server whose tests of the sandbox find these states. */
async function open(states: readonly SandboxState[]) {
  const mediaSandbox = finderOf(states)
  const decoded: SandboxState[] = []
  const mediaMaker = {
    async make() {
      const { state } = mediaSandbox.found()
      decoded.push(state)
      return state === 'none'
        ? ({ is: 'refused', failure: 'no_sandbox' } as const)
        : ({ is: 'made', media: ready } as const)
    },
    makeLadder: async () => ({ is: 'ladder', steps: [] }) as const,
    close() {},
  }
  const looks: (() => unknown)[] = []
  const every = (_: number, work: () => unknown) => {
    looks.push(work)
    return () => undefined
  }
  world = await openWorld({ parts: { mediaSandbox, mediaMaker, refusesUnconfined: true, every } })
  creator = await signUp(world)
  looks.length = 0
  return { decoded, looks, later: () => mediaSandbox.later() }
}

async function addPicture(): Promise<string> {
  const id = await upload(world, creator, await jpeg(), 'a.jpg')
  await addPost(world, creator, [
    ['type', '1'],
    ['has_image_file[]', id],
  ])
  await world.database.executeSql('delete from pgboss.job')
  return id
}
const stateOf = async (id: string) => {
  const row = await findMedia(world.deps.db, id)
  return [row?.state, row?.failure, row?.attempts]
}
const jobs = async () => {
  const { rows } = await world.database.executeSql(
    "select name, start_after > now() as later from pgboss.job where name like 'media.%' order by name",
  )
  return rows
}

test('a picture waits without an attempt while the test of the sandbox is late, and is made once it works', async () => {
  const { decoded, later } = await open(['unknown', 'unknown', 'bubblewrap'])
  const id = await addPicture()
  expect(await makeMedia(world.deps, id)).toBe(false)
  later()
  expect(await makeMedia(world.deps, id)).toBe(false)
  expect([await stateOf(id), decoded]).toEqual([['processing', null, 0], []])
  expect(await jobs()).toEqual(Array.from({ length: 2 }, () => ({ name: 'media.picture', later: true })))
  later()
  expect(await makeMedia(world.deps, id)).toBe(true)
  expect([(await stateOf(id))[0], decoded]).toEqual(['ready', ['bubblewrap']])
})

test('renditions wait while the sandbox is unknown, and are left alone where none works', async () => {
  const { later } = await open(['unknown', 'none'])
  const id = await addPicture()
  await setMediaReady(world.deps.db, id, ready)
  await world.database.executeSql("update media set kind = 'video' where id = $1", [id])
  await requestLadder(world.deps.db, id, Date.now())
  await makeNextLadder(world.deps)
  expect(await jobs()).toEqual([{ name: 'media.ladder', later: true }])
  await world.database.executeSql('delete from pgboss.job')
  later()
  await makeNextLadder(world.deps)
  expect(await jobs()).toEqual([])
  expect((await findMedia(world.deps.db, id))?.made.steps).toBeUndefined()
})

test('what was refused is made once a sandbox works, which a worker without jobs finds too', async () => {
  const { looks, later } = await open(['none', 'bubblewrap'])
  const id = await addPicture()
  await makeMedia(world.deps, id)
  expect(await stateOf(id)).toEqual(['failed', 'no_sandbox', 1])
  followSandbox(world.deps, (error) => {
    throw error
  })
  later()
  await looks[0]?.()
  await expect.poll(() => stateOf(id)).toEqual(['processing', null, 0])
  await expect.poll(jobs).toEqual([{ name: 'media.picture', later: false }])
})
