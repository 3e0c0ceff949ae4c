// Creators with data as sellers, and people who request them.
import type { OwnSellerBody } from '#contract/sellers/own-seller.ts'
import type { SellerPage } from '#contract/sellers/sellers.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { openShop, type Shop } from '#server/testing/payments/shop.ts'
import { call, type Member, type Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export const sellerBody: OwnSellerBody = {
  display: 'on_request',
  name: '山田 花子',
  address: '東京都千代田区一番町1-1',
  phone: '03-1234-5678',
  email: 'seller@example.com',
  hours: '平日10時から17時',
}

/** The data of `sellerBody`, as replies have them. */
export const { display: _, ...sellerValues } = sellerBody

export const storeSeller = (world: World, as: Member | null, change: object = {}): Promise<Reply> =>
  call(world, as, 'PUT', '/seller', { ...sellerBody, ...change })

export const readSeller = (world: World, as: Member | null, creator: Member): Promise<Reply> =>
  call(world, as, 'GET', `/users/${creator.id}/seller`)

export const sellerPage = async (world: World, as: Member | null, creator: Member): Promise<SellerPage> =>
  (await readSeller(world, as, creator)).json()

export const request = (world: World, as: Member | null, creator: Member, reason = ''): Promise<Reply> =>
  call(world, as, 'POST', `/users/${creator.id}/seller/requests`, { reason })

/** A creator with a priced post that one person has bought. */
export async function openSellerShop(world: World): Promise<Shop & { readonly paymentId: string }> {
  const shop = await openShop(world)
  return { ...shop, paymentId: await buy(world, shop.buyer, shop.postId) }
}
