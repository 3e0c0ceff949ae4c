// Random histories of numbered parts, each of which ends with the picked bytes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { createRandom, type Random } from '#contract/testing/random.ts'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import { sampleOf } from '#server/testing/sample.ts'
import { contentDigest, partsOf, putPart, splitInParts } from '#server/testing/media/parts.ts'
import { beginUpload, offsetOf, storedBytes } from '#server/testing/media/uploads.ts'
import { type Member, noise, patch, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
beforeAll(async () => {
  world = await openWorld()
  owner = await signUp(world)
})
afterAll(() => world.close())

/** Two whole parts and a short one. */
const bytes = noise(2 * PART_BYTES + 5000)
const STEPS = 12
const seeds = Array.from({ length: 40 }, (_, i) => i + 1)

type Act = () => Promise<number>

/** What clients may do with the upload, right or wrong. */
function actsOf(id: string, random: Random): readonly Act[] {
  const all = splitInParts(id, bytes)
  const { below } = random
  const one = () => random.pick(all)
  const send = async (...given: Parameters<typeof putPart>) => (await putPart(...given)).statusCode
  return [
    () => send(world, owner, one()),
    () => {
      const it = one()
      return send(world, owner, it, contentDigest(it.payload))
    },
    // Damaged on its way.
    () => {
      const it = one()
      return send(world, owner, { ...it, payload: noise(it.payload.length) }, contentDigest(it.payload))
    },
    // The beginning of a part, as of a request that was cut.
    () => {
      const it = one()
      return send(world, owner, { ...it, payload: it.payload.subarray(0, below(it.payload.length)) })
    },
    // What the server lacks of a part, as it says itself.
    async () => {
      const it = one()
      const at = defined((await partsOf(world, owner, id)).stored[it.no - 1])
      const rest = it.payload.subarray(at, at + below(it.payload.length - at + 1))
      return send(world, owner, { ...it, payload: rest }, { 'upload-offset': String(at) })
    },
    // A client of the resumable protocol.
    async () => {
      const at = Number(await offsetOf(world, owner, id))
      return (await patch(world, owner, id, at, bytes.subarray(at, at + below(2 * PART_BYTES)))).statusCode
    },
  ]
}

test.each(sampleOf(seeds, 10))(
  'the history %i ends with the picked bytes, and never says more than is stored',
  async (seed) => {
    const random = createRandom(seed)
    const id = await beginUpload(world, owner, bytes.length)
    const acts = actsOf(id, random)
    const statuses = new Set<number>()
    for (let step = 0; step < STEPS; step++) {
      const atOnce = Array.from({ length: random.between(1, 3) }, () => random.pick(acts)())
      for (const status of await Promise.all(atOnce)) statuses.add(status)
    }
    // 503: a newer request for the same bytes took their place. Nothing is an error of the server.
    expect([...statuses].filter((it) => ![204, 408, 409, 422, 503].includes(it))).toEqual([])
    const before = await partsOf(world, owner, id)
    expect(before.finished).toBe(before.stored.reduce((sum, it) => sum + it, 0) === bytes.length)
    for (const it of splitInParts(id, bytes)) expect((await putPart(world, owner, it)).statusCode).toBe(204)
    expect(await partsOf(world, owner, id)).toMatchObject({ finished: true })
    expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
  },
)
