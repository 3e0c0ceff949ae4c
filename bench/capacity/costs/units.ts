// The units of work whose cost is measured, as requests.
import { newId } from '#contract/ids.ts'
import type { LoadOptions } from '#bench/rig/load.ts'
import { VIEWERS } from '#bench/rig/feed-data.ts'
import type { UnitName } from '#bench/capacity/model.ts'
import { pairOf, PAIRS, viewer } from './people.ts'
import type { CostRig } from './rig.ts'

/** The requests of one unit, sent one after the other. */
export type Unit = () => readonly LoadOptions[]

export type Units = Readonly<Record<UnitName, Unit>>

const nth = <T>(all: readonly T[], n: number): T => {
  const it = all[n % all.length]
  if (it === undefined) throw new Error('the database has no rows of this kind')
  return it
}

const lines = ['いつもありがとうございます。', '写真がとてもきれいでした！', '次も楽しみにしています。']
const line = (n: number) => `${nth(lines, n)}${n}回目のお便りです。`

/** Counts from 0 at each call. */
function counter(): () => number {
  let n = 0
  return () => n++
}

/** The signed addresses of pictures that viewers have bought, each with its viewer's token. */
async function paidFiles({ nginx, data }: CostRig): Promise<LoadOptions[]> {
  const files: LoadOptions[] = []
  for (let n = 0; n < VIEWERS; n++)
    for (const post of data.paid) {
      const { token } = viewer(n)
      const reply = await fetch(`${nginx.url}/api/posts/${post}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const path = /\/api\/media\/[\da-f-]{36}\/w960\?[^"\\]+/.exec(await reply.text())?.[0]
      if (path === undefined) throw new Error(`the bought post ${post} has no picture: ${reply.status}`)
      files.push({ path, token })
    }
  return files
}

/** Units whose numbers continue over all rounds, so that no like, comment or message is sent twice. */
export async function unitsOf(rig: CostRig): Promise<Units> {
  const files = await paidFiles(rig)
  const { posts } = rig.data
  const [page, post, like, comment, message, read, file] = Array.from({ length: 7 }, counter)
  if (!page || !post || !like || !comment || !message || !read || !file) throw new Error('no counters')
  const get = (path: string, n: number): LoadOptions => ({ path, token: viewer(n).token, compressed: true })
  const write = (method: 'POST' | 'PUT', path: string, token: string, body?: object): LoadOptions => ({
    method,
    path,
    token,
    ...(body && { body }),
    compressed: true,
  })
  return {
    page: () => [get('/api/feed/following', page())],
    post: () => {
      const n = post()
      const path = `/api/posts/${nth(posts, n * 97)}`
      return [get(path, n), get(`${path}/comments`, n)]
    },
    like: () => {
      // Each viewer likes each post once.
      const n = like()
      const path = `/api/posts/${nth(posts, Math.floor(n / VIEWERS) + (n % VIEWERS) * 71)}/like`
      return [write('PUT', path, viewer(n).token)]
    },
    comment: () => {
      const n = comment()
      const path = `/api/posts/${nth(posts, n * 31)}/comments`
      return [write('POST', path, viewer(n).token, { id: newId(), content: line(n) })]
    },
    message: () => {
      const n = message()
      const [from, to] = pairOf(n)
      const seq = Math.floor(n / PAIRS) + 1
      return [
        write('POST', `/api/conversations/${to.id}/messages`, from.token, { id: newId(), content: line(n) }),
        { path: `/api/conversations/${from.id}/changes?after=${seq - 1}`, token: to.token, compressed: true },
        write('PUT', `/api/conversations/${from.id}/delivered`, to.token, { seq }),
      ]
    },
    read: () => {
      const n = read()
      const [from, to] = pairOf(n)
      const seq = Math.floor(n / PAIRS) + 1
      return [write('PUT', `/api/conversations/${from.id}/read`, to.token, { seq })]
    },
    file: () => [nth(files, file() * 7)],
  }
}

export const writes = ['like', 'comment', 'message', 'read'] as const satisfies readonly UnitName[]
