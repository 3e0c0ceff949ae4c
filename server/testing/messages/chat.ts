// People who write to each other on a test server, by the API.
import type { ReplyOf } from '#contract/endpoint.ts'
import type {
  ConversationView,
  getConversation,
  listConversations,
} from '#contract/messages/conversations.ts'
import type { listMessageChanges, listMessages, MessageView } from '#contract/messages/messages.ts'
import { newId } from '#contract/ids.ts'
import { joinPlan } from '#server/store/plans/plans.ts'
import { call, errorOf, type Member, type Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

interface Draft {
  readonly id?: string
  readonly content?: string
  readonly reply_to?: string
  readonly post_id?: string | null
  readonly media?: readonly string[]
  readonly digests?: readonly string[]
}

/** The code of a refusal; the status of a success. */
export const outcomeOf = (reply: Reply): string | number =>
  reply.statusCode === 200 ? 200 : errorOf(reply).code

/** Requests about conversations of one test server. */
export function chatIn(world: () => World) {
  const send = (as: Member | null, to: Pick<Member, 'id'>, draft: Draft = {}): Promise<Reply> =>
    call(world(), as, 'POST', `/conversations/${to.id}/messages`, {
      id: newId(),
      content: 'こんにちは',
      ...draft,
    })
  const ask = async <T>(as: Member, path: string): Promise<T> =>
    (await call(world(), as, 'GET', path)).json<T>()
  const change = (as: Member, method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    call(world(), as, method, `/conversations/${path}`, body)
  return {
    send,
    ask,
    /** Sends a message that must be accepted. */
    write: async (as: Member, to: Pick<Member, 'id'>, content = 'こんにちは', more: Draft = {}) => {
      const reply = await send(as, to, { content, ...more })
      if (reply.statusCode !== 200) throw new Error(`refused: ${reply.body}`)
      return reply.json<{ conversation_id: string; message: MessageView }>().message
    },
    stateOf: (as: Member, to: Pick<Member, 'id'>) =>
      ask<ReplyOf<typeof getConversation>>(as, `/conversations/${to.id}`),
    messagesOf: (as: Member, to: Pick<Member, 'id'>, query = '') =>
      ask<ReplyOf<typeof listMessages>>(as, `/conversations/${to.id}/messages${query}`),
    changesOf: (as: Member, to: Pick<Member, 'id'>, after = 0, deletedAfter = 0) =>
      ask<ReplyOf<typeof listMessageChanges>>(
        as,
        `/conversations/${to.id}/changes?after=${after}&deleted_after=${deletedAfter}`,
      ),
    listOf: (as: Member, query = '') => ask<ReplyOf<typeof listConversations>>(as, `/conversations${query}`),
    unreadOf: (as: Member) => ask<{ count: number; requests: number }>(as, '/conversations/unread'),
    read: async (as: Member, to: Pick<Member, 'id'>, seq: number) =>
      (await change(as, 'PUT', `${to.id}/read`, { seq })).json<ConversationView>(),
    receive: async (as: Member, to: Pick<Member, 'id'>, seq: number) =>
      (await change(as, 'PUT', `${to.id}/delivered`, { seq })).json<ConversationView>(),
    set: (as: Member, to: Pick<Member, 'id'>, body: object) => change(as, 'PATCH', to.id, body),
    answer: (as: Member, to: Pick<Member, 'id'>, answer: 'accept' | 'decline') =>
      change(as, 'POST', `${to.id}/${answer}`),
    clear: (as: Member, to: Pick<Member, 'id'>) => change(as, 'DELETE', to.id),
    unsend: (as: Member | null, id: string) => call(world(), as, 'POST', `/messages/${id}/unsend`),
    hide: (as: Member | null, id: string) => call(world(), as, 'DELETE', `/messages/${id}`),
    react: (as: Member | null, id: string, reaction = 'heart') =>
      call(world(), as, 'PUT', `/messages/${id}/reaction`, { reaction }),
    unreact: (as: Member | null, id: string) => call(world(), as, 'DELETE', `/messages/${id}/reaction`),
    follow: (as: Member, whom: Pick<Member, 'id'>) => call(world(), as, 'PUT', `/follows/${whom.id}`),
    setPrivacy: (as: Member, body: object) => call(world(), as, 'PATCH', '/settings/privacy', body),
  }
}

/** Makes a person a member of another's plan, which has the id of its creator. */
export async function joinPlanOf(
  { database, deps, clock }: World,
  creator: Member,
  member: Member,
): Promise<void> {
  await database.executeSql(
    `insert into plans (id, creator_id, name, price, created_at) values ($1, $1, '応援', 500, now())
     on conflict do nothing`,
    [creator.id],
  )
  await joinPlan(deps.db, creator.id, member.id, clock.now)
}

/** What a person sees of a message. */
export const contentOf = ({ body }: MessageView): string => (body.is === 'text' ? body.content : body.is)
