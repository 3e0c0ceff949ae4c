// The device cookie of a test's browser: taken from a reply, shown with a request.
import { DEVICE_COOKIE } from '#contract/accounts/session.ts'
import { call, type Member, PASSWORD, type Reply } from './members.ts'
import type { World } from '#server/testing/world.ts'

/** The cookie header that a browser shows after this reply. */
export function cookieOf(reply: Reply): { cookie: string } {
  const set = [reply.headers['set-cookie']].flat().find((it) => it?.startsWith(`${DEVICE_COOKIE}=`))
  return { cookie: set?.split(';')[0] ?? '' }
}

/** A browser that the member has signed in on: its cookie. */
export async function rememberedDevice(world: World, { email }: Member): Promise<{ cookie: string }> {
  return cookieOf(await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD }))
}
