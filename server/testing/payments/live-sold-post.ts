// A sold post of a person, which was changed after its sale.
import { addPurchase } from '#server/store/posts/posts.ts'
import { releasedPost } from './shop.ts'
import type { World } from '#server/testing/world.ts'
import { call, type Member } from '#server/testing/people/members.ts'

/** @returns its id */
export async function addSoldPost(
  world: World,
  person: Member,
  buyer: Member,
  trace: string,
): Promise<string> {
  const id = await releasedPost(world, person, [
    ['content', trace],
    ['title', trace],
    ['introduction', trace],
    ['type', '3'],
    ['price', '500'],
  ])
  await addPurchase(world.deps.db, id, buyer.id, 500, world.clock.now)
  // The buyer goes on reading the earlier texts.
  await call(world, person, 'PATCH', `/posts/${id}`, { introduction: `${trace}。` })
  return id
}
