// Staff of a test server who publish notices, and the jobs that deliver them.
import type { NoticeDetail, NoticeFields } from '#contract/notices/admin-notices.ts'
import { newId } from '#contract/ids.ts'
import { beginDue } from '#server/modules/notices/act.ts'
import { fanOutNotice } from '#server/modules/notices/fan-out.ts'
import { retractNotice } from '#server/modules/notices/sweep.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { identify } from '#server/testing/people/identity.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export const usualNotice: NoticeFields = {
  title: '振込日のお知らせ',
  body: '本文です。',
  audience: { is: 'all' },
  pushes: true,
  mails: false,
  is_advertising: false,
  is_urgent: false,
  bar_until: null,
}

/** A member of staff, who proves who they are now. */
export async function signUpStaff(world: World, role = 'moderator'): Promise<Member> {
  const person = await signUp(world)
  await world.database.executeSql('update users set role = $2 where id = $1', [person.id, role])
  await identify(world, person)
  return person
}

/** Calls of staff about notices; each throws for a refusal. */
export function noticeDesk(world: World, staff: Member) {
  const send = async (method: 'POST' | 'PUT' | 'GET', path: string, body?: object) => {
    const reply = await call(world, staff, method, `/admin/notices${path}`, body)
    if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.body}`)
    return reply.json() as NoticeDetail
  }
  const read = (id: string) => send('GET', `/${id}`)
  const act = async (id: string, name: string, at: number | null = null) => {
    await identify(world, staff)
    return send('POST', `/${id}/state`, {
      act: name,
      revision: (await read(id)).revision,
      at: at === null ? null : new Date(at).toISOString(),
    })
  }
  const add = (fields: Partial<NoticeFields> = {}) =>
    send('POST', '', { ...usualNotice, id: newId(), ...fields })
  return {
    add,
    read,
    act,
    async change(id: string, fields: Partial<NoticeFields>) {
      const { revision, title, body, audience, pushes, mails, is_advertising, is_urgent, bar_until } =
        await read(id)
      const before = { title, body, audience, pushes, mails, is_advertising, is_urgent, bar_until }
      return send('PUT', `/${id}`, { revision, ...before, ...fields })
    },
    /** Writes and publishes a notice, and runs its batches. */
    async published(fields: Partial<NoticeFields> = {}) {
      const { id } = await add(fields)
      await act(id, 'publish')
      await runBatches(world)
      return id
    },
  }
}

/** Runs waiting batches until none is left, or at most so many. @returns how many ran */
export async function runBatches(world: World, most = Number.POSITIVE_INFINITY): Promise<number> {
  let done = 0
  while (done < most) {
    const jobs = await takeJobs(world, 'notice.fan-out')
    if (jobs.length === 0) break
    for (const job of jobs) {
      await fanOutNotice(world.deps, job)
      done += 1
    }
  }
  return done
}

/** Runs the jobs of schedules, and of withdrawn notices. */
export async function runOtherJobs(world: World): Promise<void> {
  for (const it of await takeJobs(world, 'notice.begin')) await beginDue(world.deps, it.noticeId)
  for (let some = await takeJobs(world, 'notice.retract'); some.length > 0;) {
    for (const it of some) await retractNotice(world.deps, it.noticeId)
    some = await takeJobs(world, 'notice.retract')
  }
}
