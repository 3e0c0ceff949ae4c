// The device cookie of a test's browser, read from a reply.
import { DEVICE_COOKIE } from '#contract/accounts/session.ts'
import { call, type Member, PASSWORD, type Reply } from './members.ts'
import type { World } from '#server/testing/world.ts'

/** The cookie header that a browser sends after this reply. */
export function cookieOf(reply: Reply): { cookie: string } {
  const set = [reply.headers['set-cookie']].flat().find((it) => it?.startsWith(`${DEVICE_COOKIE}=`))
  return { cookie: set?.split(';')[0] ?? '' }
}

/** Signs a member in. @returns the device cookie of that browser */
export async function rememberedDevice(world: World, { email }: Member): Promise<{ cookie: string }> {
  return cookieOf(await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD }))
}
