// Sends requests to one server, to one that is killed, or to both at once.
import { validate } from '#server/testing/people/leaving.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import type { PayoutStory } from './story.ts'

/** A step of a payout takes about 20 statements and commits; a file and its payouts take more. */
const MAX_POINTS = 40

/** Runs work on one server, on one that is killed, on both at once, or on both of which one is killed. */
export async function onSomeServer(
  { random, servers }: PayoutStory,
  work: (world: World) => Promise<unknown>,
): Promise<void> {
  const { steady, fragile, crashes } = servers
  const how = random.below(5)
  if (how === 1 || how === 3) crashes.killAfter(random.below(MAX_POINTS))
  // A killed server throws, or replies with 500.
  const onFragile = () => work(fragile).catch(() => undefined)
  if (how === 0 || how === 4) await work(steady)
  else if (how === 1) await onFragile()
  else await Promise.all([onFragile(), work(steady)])
  crashes.restart()
}

/** Proves the person's password for the next minutes. */
export async function proven({ servers }: PayoutStory, person: Member): Promise<Member> {
  await validate(servers.steady, person)
  return person
}

/** One of the admins, with a proven password. */
export const actingAdmin = (story: PayoutStory): Promise<Member> =>
  proven(story, story.random.pick(story.cast.admins))
