// Staff remove posts, pause sales, lose the provider, and return money by hand.
import { closeTaskByHand } from '#server/services/billing/close-task.ts'
import { DELETED_LIFE } from '#server/modules/posts/deleted.ts'
import { restorePost, withholdPost } from '#server/store/moderation/withheld.ts'
import { listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import { sweepDeletedPosts } from '#server/testing/people/leaving.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import type { Servers } from './servers.ts'
import type { Story } from './story.ts'

/** Staff remove a post, also a sold one, or restore it while that is possible. */
export async function removeOrRestore({ random, cast, servers }: Story): Promise<void> {
  const offer = random.pick(cast.offers)
  const { deps, clock } = servers.steady
  if (offer.removedAt === null) {
    if (offer.isDeleted) return
    await deps.transaction(({ tx }) => withholdPost(tx, offer.id, clock.now))
    offer.removedAt = clock.now
  } else if (clock.now < offer.removedAt + DELETED_LIFE) {
    await deps.transaction(({ tx }) => restorePost(tx, offer.id))
    offer.removedAt = null
  }
}

/** Nothing new is sold, or again. */
export function setSelling({ steady, fragile }: Servers, isSelling: boolean): void {
  for (const { deps } of [steady, fragile]) Object.assign(deps.settings.payments, { isSelling })
}

export function pauseOrResume(story: Story): void {
  story.isPaused = !story.isPaused
  setSelling(story.servers, !story.isPaused)
}

/** The provider is not configured any more, or again. What it sends meanwhile is lost. */
export function leaveOrReturn(story: Story): void {
  const { provider } = story.servers
  provider.isGone = !provider.isGone
  if (provider.isGone) story.wasWithoutProvider = true
}

const bookedOf = `select coalesce(sum(l.amount), 0)::int as booked from charges c join ledger_entries e on e.charge_id = c.id
  and e.cause = 'refund_paid' join ledger_lines l on l.entry_id = e.id and l.account = 'refunds' where c.gid = $1`

/**
 * The operator returns what tasks say in the panel of the provider, and closes them.
 * @param most tasks, the next deadline first
 */
export async function returnByHand(story: Story, most: number): Promise<void> {
  const { deps } = story.servers.steady
  const own = new Map(story.charges.map((it) => [it.gid, it]))
  const open = (await listOpenTasks(deps.db, 1000)).filter(
    ({ kind, details }) =>
      (kind === 'refund' || kind === 'refund_surplus') && own.has(details.chargeRef ?? ''),
  )
  for (const { id, details } of open.slice(0, most)) {
    const charge = own.get(details.chargeRef ?? '')
    const [row] = await rowsOf<{ booked: number }>(story.servers.steady, bookedOf, [details.chargeRef])
    // The panel shows what was returned before.
    if (charge) charge.returned = Math.max(charge.returned, (row?.booked ?? 0) + (details.amount ?? 0))
    await deps.transaction((unit) =>
      closeTaskByHand(deps, unit, id, { actorId: story.cast.staff[0].id, ip: '' }),
    )
  }
}

/** The time is over in which removed posts can be restored. */
export async function endRemovals({ servers }: Story): Promise<void> {
  servers.steady.clock.now += DELETED_LIFE
  await sweepDeletedPosts(servers.steady)
}
