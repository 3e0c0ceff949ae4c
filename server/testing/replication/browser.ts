// A person's browser: it returns the cookies that the server has set.
import { call, type Member, type Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export interface Browser {
  readonly member: Member
  readonly cookies: Map<string, string>
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Reply>
}

export function openBrowser(world: World, member: Member): Browser {
  const cookies = new Map<string, string>()
  return {
    member,
    cookies,
    async call(method, path, body) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers: Record<string, string> = cookie === '' ? {} : { cookie }
      const reply = await call(world, member, method, path, body, headers)
      for (const it of reply.cookies)
        if (it.maxAge === 0) cookies.delete(it.name)
        else cookies.set(it.name, it.value)
      return reply
    },
  }
}
