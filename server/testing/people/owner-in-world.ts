// A test server for one test file, with a new person for each test.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openWorld, type World } from '#server/testing/world.ts'
import { type Member, signUp } from './members.ts'

export interface OwnerInWorld {
  world: World
  /** Signed up before each test. */
  owner: Member
}

/** @returns an object whose fields are set before the first test, and before each */
export function ownerInWorld(): OwnerInWorld {
  const setup = {} as OwnerInWorld
  beforeAll(async () => {
    setup.world = await openWorld()
  })
  afterAll(() => setup.world.close())
  beforeEach(async () => {
    setup.owner = await signUp(setup.world)
  })
  return setup
}
