// What a change of the card must not change, and what it leaves to do.
import { listOpenTasks, type OperatorTask } from '#server/store/payments/operator-tasks.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import type { World } from '#server/testing/world.ts'

type Row = Readonly<Record<string, unknown>>

const first = async (world: World, text: string, id: string): Promise<Row | undefined> =>
  (await rowsOf<Row>(world, text, [id]))[0]

/** The recurring charge and the state of a membership. */
export const memberRowOf = (world: World, id: string): Promise<Row | undefined> =>
  first(world, 'select acid, charged_amount, form_id, state, why from memberships where id = $1', id)

/** Price, plan, day of joining and what is open of a membership. */
export const keptOf = (world: World, id: string): Promise<Row | undefined> =>
  first(
    world,
    `select m.price, m.plan_id, m.joined_at,
      (select json_agg(json_build_array(g.plan_id, g.joined_at, g.opens_from) order by g.plan_id)
        from plan_members g where g.membership_id = m.id) as opened
      from memberships m where m.id = $1`,
    id,
  )

/** Open tasks about a recurring charge. */
export const tasksAbout = async ({ deps }: World, acid: string): Promise<OperatorTask['kind'][]> =>
  (await listOpenTasks(deps.db, 100)).filter((it) => it.details.recurringRef === acid).map((it) => it.kind)
