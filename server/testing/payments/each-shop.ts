// A test server with a shop for each test, whose ledger has to stay balanced.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type DatabaseKind, openWorld, type World } from '#server/testing/world.ts'
import { bookingsSince } from './bookings.ts'
import { behave, ledgerOf, openShop, type Shop } from './shop.ts'

interface Opened {
  readonly world: World
  readonly shop: Shop
  /** Balances that have changed since the test began, in yen, by account. */
  readonly bookings: () => ReturnType<typeof bookingsSince>
}

/**
 * Opens one listening server for the tests of a `describe`, and before each test a shop and a sandbox that behaves.
 * @param give stores what was opened in variables of the tests
 */
export function openShopForEach(kind: DatabaseKind, give: (opened: Opened) => void): void {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ database: kind, listen: true })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await behave(world)
    const shop = await openShop(world)
    const before = await ledgerOf(world)
    give({ world, shop, bookings: () => bookingsSince(world, before) })
  })
  afterEach(async () => {
    // Throws where the sum is not zero.
    await ledgerOf(world)
  })
}
