// Staff and members who report, decide and appeal on a test server, by the API.
import type { Role } from '#contract/administration/role-names.ts'
import type { CaseRow, CaseView } from '#contract/moderation/cases.ts'
import type { OwnDecision } from '#contract/moderation/decisions.ts'
import { newId } from '#contract/ids.ts'
import { emptyDeletedPosts } from '#server/modules/posts/deleted.ts'
import { identify } from '#server/testing/people/identity.ts'
import { addPost, call, type Member, postIdOf, type Reply, signUp } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

/** Texts and measures of a decision, for tests that look at something else. */
export const acting = {
  is: 'act',
  rule: 'harassment',
  content: null as string | null,
  person: null as string | null,
  days: null as number | null,
  text_to_person: 'ガイドラインをご確認ください。',
  text_to_reporters: 'ご報告ありがとうございました。',
}
export const dismissing = { is: 'dismiss', text_to_reporters: '違反は見つかりませんでした。' }

const openPost = (content: string): [string, string][] => [
  ['content', content],
  ['type', '1'],
]

/** Reads and takes cases as their page does. */
function casesIn(world: () => World) {
  const ask = (as: Member | null, path: string, body?: object) =>
    call(world(), as, body === undefined ? 'GET' : 'POST', `/admin/cases${path}`, body)
  const read = async (as: Member, id: string): Promise<CaseView> => (await ask(as, `/${id}`)).json().case
  /** Takes a case as its page does, which shows it before and after. */
  const take = async (as: Member, id: string): Promise<Reply> => {
    const taken = await ask(as, `/${id}/take`, {})
    await read(as, id)
    return taken
  }
  /** Opens the case of a thing without a report. */
  const open = async (as: Member, kind: string, target: string): Promise<Reply> => {
    const opened = await ask(as, '', { kind, target_id: target })
    if (opened.statusCode === 200) await read(as, opened.json().case.id)
    return opened
  }
  return { ask, read, take, open }
}

/** Requests about reports of one test server. */
export function deskIn(world: () => World) {
  const run = async (statement: string, values: readonly unknown[]) =>
    (await world().database.executeSql(statement, values)).rows as Record<string, unknown>[]
  const { ask, read, take, open } = casesIn(world)
  return {
    run,
    ask,
    take,
    async staff(role: Role): Promise<Member> {
      const person = await signUp(world())
      await run('update users set role = $2 where id = $1', [person.id, role])
      await identify(world(), person)
      return person
    },
    async publish(by: Member, content = 'ひどい投稿'): Promise<string> {
      const id = postIdOf(await addPost(world(), by, openPost(content), newId()))
      await call(world(), by, 'POST', `/post/release-uploaded/${id}`)
      return id
    },
    async comment(by: Member, postId: string, content = 'ひどいコメント'): Promise<string> {
      const id = newId()
      const body = { id, content, parent_id: null, answers_id: null }
      const reply = await call(world(), by, 'POST', `/posts/${postId}/comments`, body)
      if (reply.statusCode !== 200) throw new Error(`refused: ${reply.body}`)
      return id
    },
    report: (by: Member, what: string, reason = 'harassment', detail = ''): Promise<Reply> =>
      call(world(), by, 'PUT', `/reports/${what}`, { reason, detail }),
    list: async (as: Member, query = ''): Promise<CaseRow[]> => (await ask(as, query)).json().cases,
    /** The id of the case of a thing. */
    async caseOf(targetId: string): Promise<string> {
      const [row] = await run('select id from cases where target_id = $1', [targetId])
      return String(row?.['id'])
    },
    read,
    decide: (as: Member, id: string, decision: object, seen = 1): Promise<Reply> =>
      ask(as, `/${id}/decide`, { seen, decision }),
    /** Takes and decides a case; the decision must be accepted. */
    async act(as: Member, id: string, decision: object, seen = 1): Promise<void> {
      await take(as, id)
      const reply = await ask(as, `/${id}/decide`, { seen, decision })
      if (reply.statusCode !== 200) throw new Error(`refused: ${reply.body}`)
    },
    /** Deletes for good what was deleted 30 days ago. */
    emptyPosts: () => emptyDeletedPosts(world().deps),
    /** @param decision the last one when absent */
    undo: (as: Member, id: string, decision?: string): Promise<Reply> =>
      ask(as, `/${id}/undo`, { decision_id: decision }),
    open,
    answer: (as: Member, id: string, granted: boolean): Promise<Reply> =>
      ask(as, `/${id}/answer`, { granted, answer: '確認しました。' }),
    own: async (as: Member): Promise<OwnDecision[]> =>
      (await call(world(), as, 'GET', '/decisions/own')).json().decisions,
    appeal: (as: Member | null, body: object): Promise<Reply> =>
      call(world(), as, 'POST', '/decisions/appeal', body),
  }
}
