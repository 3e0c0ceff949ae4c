// Broadcasts on a test server: plans with members, requests and deliveries.
import { newId } from '#contract/ids.ts'
import type { BroadcastView } from '#contract/messages/broadcasts.ts'
import { deliverBroadcast } from '#server/modules/messages/deliver-broadcast.ts'
import type { JobData } from '#server/store/jobs.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, type Member, type Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

interface Draft {
  readonly id?: string
  readonly content?: string
  readonly plan_ids: readonly string[]
  readonly post_id?: string | null
}

/** Adds a plan of a creator with these members. @returns its id */
export async function planOf(
  { deps, clock }: World,
  creator: Pick<Member, 'id'>,
  members: readonly Pick<Member, 'id'>[],
): Promise<string> {
  const id = newId()
  const createdAt = new Date(clock.now)
  await addPlan(deps.db, { id, creatorId: creator.id, name: '応援', price: 500, createdAt })
  for (const it of members) await joinPlan(deps.db, id, it.id, clock.now)
  return id
}

/** Adds accounts that are members of a plan, by SQL. @returns their ids */
export async function addCrowd({ database, clock }: World, planId: string, size: number): Promise<string[]> {
  const ids = Array.from({ length: size }, () => newId())
  const at = new Date(clock.now).toISOString()
  await database.executeSql(
    `insert into users (id, email, password_hash, name, birth_date, created_at)
     select id, id || '@example.com', '', 'ファン', '1990-01-01', $2 from unnest($1::uuid[]) as id`,
    [ids, at],
  )
  await database.executeSql(
    `insert into plan_members (plan_id, user_id, joined_at) select $1, id, $3 from unnest($2::uuid[]) as id`,
    [planId, ids, at],
  )
  return ids
}

/** Requests about broadcasts of one test server. */
export function broadcastsIn(world: () => World) {
  const send = (as: Member | null, draft: Draft): Promise<Reply> =>
    call(world(), as, 'POST', '/broadcasts', { id: newId(), content: 'お知らせです', ...draft })
  return {
    send,
    /** Sends a broadcast that must be accepted. */
    begin: async (as: Member, draft: Draft): Promise<BroadcastView> => {
      const reply = await send(as, draft)
      if (reply.statusCode !== 200) throw new Error(`refused: ${reply.body}`)
      return reply.json<BroadcastView>()
    },
    stop: (as: Member | null, id: string): Promise<Reply> =>
      call(world(), as, 'POST', `/broadcasts/${id}/stop`),
    audience: (as: Member | null, planIds: readonly string[]): Promise<Reply> =>
      call(world(), as, 'GET', `/broadcasts/audience?plan_ids=${planIds.join(',')}`),
    listOf: async (as: Member): Promise<readonly BroadcastView[]> =>
      (await call(world(), as, 'GET', '/broadcasts')).json<{ broadcasts: BroadcastView[] }>().broadcasts,
    /** Runs waiting batches until none is left. @returns their data, in order */
    deliver: async (): Promise<JobData['message.broadcast'][]> => {
      const done: JobData['message.broadcast'][] = []
      for (;;) {
        const jobs = await takeJobs(world(), 'message.broadcast')
        if (jobs.length === 0) return done
        for (const job of jobs) {
          await deliverBroadcast(world().deps, job)
          done.push(job)
        }
      }
    },
    /** Messages of a broadcast by their recipient, and how many there are. */
    deliveredOf: async (id: string): Promise<{ readonly messages: number; readonly people: number }> => {
      const { rows } = await world().database.executeSql(
        `select count(m.id)::int as messages, count(distinct m.conversation_id)::int as people
         from broadcasts b join messages m on m.sender_id = b.creator_id and m.content = b.content where b.id = $1`,
        [id],
      )
      return rows[0] as { messages: number; people: number }
    },
  }
}
